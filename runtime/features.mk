# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes runtime/kit_features.h, which defines ST_HAVE_NAME if features/NAME.c compiles with this
# kernel's headers and flags.
#
# A compilation takes a fifth of a second, nearly all of it for the kernel's headers, so one
# compilation includes all these files, and each error message names its file.  No two files may
# define the same name, except st_feature.  Only a missing header ends the compilation early;
# then each file is compiled alone.

stap-features := $(sort $(patsubst $(src)/runtime/features/%.c,%, \
	$(wildcard $(src)/runtime/features/*.c)))

$(obj)/runtime/kit_questions.c: $(stap-features:%=$(src)/runtime/features/%.c)
	@for f in $(stap-features); do \
		echo "#define st_feature st_feature_$$f"; \
		echo "#include \"features/$$f.c\""; \
		echo "#undef st_feature"; \
	done > $@

$(obj)/runtime/kit_features.h: private part-of-module := y
$(obj)/runtime/kit_features.h: $(obj)/runtime/kit_questions.c
	@echo '  CC      '$<; \
	$(CC) $(c_flags) -fsyntax-only -fmax-errors=0 $< 2> $@.log; \
	grep -q 'fatal error:' $@.log && early=y; \
	lacks=$$(grep -o 'features/[^:]*\.c:[0-9:]* error:' $@.log); \
	for f in $(stap-features); do \
		if [ "$$early" ]; \
		then $(CC) $(c_flags) -fsyntax-only $(src)/runtime/features/$$f.c 2> /dev/null; \
		else case $$lacks in *features/$$f.c:*) false ;; esac; fi && \
		echo "ST_HAVE_$$f"; \
	done | tr a-z A-Z | sed 's/.*/#define & 1/' > $@
