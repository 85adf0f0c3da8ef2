/* The marks of shop.c, in the forms that descriptions have. */
#include <stdint.h>

#define ITEM char *
typedef unsigned int count_t;

#pragma D attributes Evolving/Evolving/Common provider shop provider

provider shop {
	probe opened();
	probe sold(ITEM item, int price);	// at a price that may be negative
	probe stock__counted(count_t, const char where[8], int (*how)(int, int)) :
		(unsigned int n, char *where);
	probe closed(unsigned char, signed char, unsigned short, short, unsigned long, long,
		     int, int, int, int, int, int);
};
