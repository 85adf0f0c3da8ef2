// Functions with results of every kind, and goroutines whose stacks grow while the
// garbage collector runs.
package main

import (
	"fmt"
	"os"
	"runtime"
)

type pair struct {
	a int32
	b float64
	s string
}

type thing struct {
	n    int
	name string
}

//go:noinline
func traceme(a int, b int) int {
	if a > b {
		return a - b
	}
	return a + b
}

//go:noinline
func sum(a, b int) int { return a + b }

//go:noinline
func (t *thing) Method(s string, k int64) (total int, err error) {
	total = t.n + len(s) + int(k)
	if k < 0 {
		return 0, fmt.Errorf("negative")
	}
	return total, nil
}

//go:noinline
func text(n int) string {
	return "number "[:n]
}

//go:noinline
func slice(n uint8) ([]byte, bool, uint16) {
	return []byte{n, n + 1}, n > 3, 300
}

//go:noinline
func mixed(f float64, n int32) (pair, int8) {
	return pair{n, f, "mixed"}, -3
}

// Its results don't fit into registers.
//
//go:noinline
func big(n int) ([3]int, [2]string, int) {
	return [3]int{n, n + 1, n + 2}, [2]string{"one", "two"}, n + 3
}

//go:noinline
func nothing(n int) {
	runtime.KeepAlive(n)
}

// Its frames are large enough for the stack to be moved again and again.
//
//go:noinline
func deep(n int) int {
	var pad [16]int
	pad[n%16] = n
	if n == 0 {
		return 0
	}
	if n%64 == 0 {
		runtime.Gosched()
	}
	return deep(n-1) + pad[n%16] - n + 1
}

//go:noinline
func work(n int) int {
	garbage := make([]*thing, 0)
	for i := 0; i < 20; i++ {
		garbage = append(garbage, &thing{i, "garbage"})
	}
	return deep(n) + len(garbage)
}

//go:noinline
func recovers(n int) (r int) {
	defer func() {
		if recover() != nil {
			r = -1
		}
	}()
	return panics(n)
}

//go:noinline
func panics(n int) int {
	if n > 1 {
		panic("too many")
	}
	return n
}

func values() {
	t := &thing{3, "t"}
	traceme(3, 4)
	traceme(9, 4)
	sum(20, 22)
	t.Method("hello", 5)
	t.Method("hello", -5)
	text(6)
	slice(4)
	mixed(2.5, 7)
	big(10)
	nothing(1)
	recovers(1)
	recovers(2)
}

func storm(goroutines int) {
	runtime.GOMAXPROCS(4)
	done := make(chan int)
	sum, want := 0, 0
	for i := 0; i < goroutines; i++ {
		go func(n int) { done <- work(n) }(i % 200)
		want += i%200 + 20
	}
	for i := 0; i < goroutines; i++ {
		sum += <-done
		if i%100 == 0 {
			runtime.GC()
		}
	}
	if sum != want {
		fmt.Println("wrong:", sum, want)
		os.Exit(1)
	}
}

func main() {
	if len(os.Args) > 1 {
		storm(600)
		return
	}
	values()
}
