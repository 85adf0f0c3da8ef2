// SPDX-License-Identifier: GPL-2.0-or-later
/* Does the page cache consist of folios? */
#include <linux/pagemap.h>

struct folio *st_feature(struct address_space *mapping)
{
	return filemap_get_folio(mapping, 0);
}
