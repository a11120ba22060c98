/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The links of the slab model's free lists, shared by slab.c and slab_check.c only. The link of an
 * object is the index of the next free one in its slab, or one of the two marks below; a new slab's
 * links are written when it is cut, so a slab that was never used has none.
 */
#ifndef MODELS_SLAB_LINK_H
#define MODELS_SLAB_LINK_H

#define SLAB_LINK_END     0xffffu /* last of its list */
#define SLAB_LINK_USED    0xfffeu /* the object is in use */
#define SLAB_OBJECTS_MOST 512u    /* 4 KiB of 8-byte objects */

#endif
