// Namespaces, classes, templates, operators and a lambda, for the tests of names.
#include <cstring>
#include <vector>
namespace ns {
enum class Colour : unsigned char { red = 1, green = 7 };
struct Base { int base_member; virtual ~Base() {} };
struct Other { long other_member; };
class Class : public Base, public Other {
public:
	static int count;
	int member;
	Colour colour;
	explicit Class(int m) : member(m), colour(Colour::green) { base_member = m + 1; other_member = m + 2; count++; }
	__attribute__((noinline)) int method(int &by_ref, const Class &other);
	__attribute__((noinline)) int method(const char *text);
	struct Inner { int x; __attribute__((noinline)) int get() const { return x * 3; } };
};
int Class::count;
int Class::method(int &by_ref, const Class &other) { by_ref += other.member; return by_ref; }
int Class::method(const char *text) { return strlen(text) + member; }
static __attribute__((noinline)) int hidden(int n) { return n + 1; }
namespace { __attribute__((noinline)) int anonymous(int n) { return n + 2; } }
template <typename T> __attribute__((noinline)) T twice(T v) { return v + v; }
template <typename T> struct Box { T v; __attribute__((noinline)) T get(T d) { return v + d; } };
}
extern "C" __attribute__((noinline)) int plain(int n) { return n; }
__attribute__((noinline)) int operator+(ns::Other a, int b) { return a.other_member + b; }
static volatile long sink;

int main() {
	ns::Class a(5), b(40);
	int n = 2;
	std::vector<int> v;
	v.push_back(n);
	ns::Class::Inner in{3};
	ns::Box<long> box{6};
	sink = a.method(n, b);
	sink = a.method("four");
	sink = ns::hidden(1);
	sink = ns::anonymous(1);
	sink = ns::twice(4);
	sink = ns::twice(1.5);
	sink = in.get();
	sink = plain(3);
	sink = box.get(3);
	sink = ns::Other{3} + 4;
	auto l = [&](int k) { return k + n; };
	sink = l(3);
}
