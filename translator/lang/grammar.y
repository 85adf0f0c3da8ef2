/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grammar.
 *
 * Statements need no separator: a statement ends at the first token that can't
 * continue it.  Where a token could either continue an expression or begin the
 * next statement ("a -1", "f (x)", "a [1]", "return x"), it continues: bison
 * resolves such shift/reduce conflicts by shifting.  These conflicts, and the
 * dangling else, are the ones that %expect counts.
 *
 * What rules can't express (an lvalue left of '=', 'break' only in a loop) is
 * checked by the builders in build.c and declare.c.
 */
%code requires {
#include "parser.h"
}

%code {
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "mistakes.h"
}

%define api.pure full
%define api.prefix {grammar_}
%define api.location.type {struct loc}
%define parse.error custom
%define parse.lac full
%param { struct parser *p }
%locations
%expect 55
/* Bison's error count is unused, and GCC 16 warns about that. */
%initial-action { (void)yynerrs; }

%code {
#define YYLLOC_DEFAULT(cur, rhs, n) ((cur) = YYRHSLOC(rhs, (n) ? 1 : 0))
#define YYINITDEPTH 200
#define YYMAXDEPTH 20000

static int grammar_lex(GRAMMAR_STYPE *value, struct loc *at, struct parser *p);
static void grammar_error(const struct loc *at, struct parser *p, const char *msg);
}

%union {
	const char *str;
	int64_t num;
	enum op op;
	enum type type;
	struct expr *expr;
	struct stmt *stmt;
	struct variable *var;
	struct function *func;
	struct foreach *foreach;
	struct expr_list *exprs;
	struct var_list *vars;
	struct point_list *points;
	struct sorted *sorted;
	struct sorted_list *sorteds;
}

%token <str> IDENT TARGET PRETTY STRING EMBEDDED "'%{'" POINT
%token <num> NUMBER

/* keywords: PROBE first and LONG_TYPE last */
%token PROBE "'probe'" GLOBAL "'global'" PRIVATE "'private'" FUNCTION "'function'"
%token IF "'if'" ELSE "'else'" WHILE "'while'" FOR "'for'" FOREACH "'foreach'"
%token IN "'in'" LIMIT "'limit'" RETURN "'return'" DELETE "'delete'" NEXT "'next'"
%token BREAK "'break'" CONTINUE "'continue'" TRY "'try'" CATCH "'catch'"
%token STRING_TYPE "'string'" LONG_TYPE "'long'"

%token INC "++" DEC "--" ARROW "->" SHL "<<" SHR ">>" LE "<=" GE ">=" EQ "==" NE "!="
%token MATCH "=~" NOMATCH "!~" AND "&&" OR "||" STAT_ADD "<<<"
%token ADD_ASSIGN "+=" SUB_ASSIGN "-=" MUL_ASSIGN "*=" DIV_ASSIGN "/=" MOD_ASSIGN "%="
%token SHL_ASSIGN "<<=" SHR_ASSIGN ">>=" AND_ASSIGN "&=" OR_ASSIGN "|=" XOR_ASSIGN "^="
%token CAT_ASSIGN ".="

%token AT_CAST "@cast" AT_VAR "@var" AT_DEFINED "@defined" AT_ENTRY "@entry"
%token AT_PERF "@perf" AT_PROBEWRITE "@probewrite" AT_CONST "@const"
%token AT_ENUM "@enum" AT_ENUMNAME "@enumname"
%token AT_KDEREF "@kderef" AT_UDEREF "@uderef" AT_KREGISTER "@kregister"
%token AT_UREGISTER "@uregister" AT_CHOOSE_DEFINED "@choose_defined"
%token <num> AT_STAT "@count" AT_VARIANCE "@variance" AT_HIST_LOG "@hist_log"
%token <num> AT_HIST_LINEAR "@hist_linear"

/* These don't reach the grammar: the preprocessor handles them. */
%token PP_OPEN "%(" PP_THEN "%?" PP_ELSE "%:" PP_CLOSE "%)"
%token ARG ARG_STRING ARG_COUNT ARG_COUNT_STRING ARG_ALL ARG_ALL_STRINGS AT_NAME TEMPLATE JUNK

%type <expr> expr opt_expr cond lor land bor bxor band member relation shift concat
%type <expr> sum product unary crement value target primary hist arg key literal condition
%type <expr> opt_init opt_limit deleted
%type <exprs> args opt_args keys
%type <stmt> stmt stmts block function_body opt_else
%type <op> assign_op
%type <type> opt_type
%type <num> sign number opt_wrap opt_priority mark stat_op sort_sign
%type <str> opt_module variable
%type <var> global param
%type <vars> globals params opt_params
%type <func> function
%type <points> points point chain component alternatives alternative
%type <foreach> foreach_over foreach_head
%type <sorted> foreach_name foreach_by
%type <sorteds> foreach_names foreach_keys

%%

program:
	  %empty
	| program declaration
	| program error
	;

declaration:
	  probe
	| PRIVATE function			{ $2->is_private = true;
						  declare_function(p, $2); }
	| function				{ declare_function(p, $1); }
	| GLOBAL globals opt_semicolon		{ declare_globals(p, $2, false); }
	| PRIVATE GLOBAL globals opt_semicolon	{ declare_globals(p, $3, true); }
	| PRIVATE globals opt_semicolon		{ declare_globals(p, $2, true); }
	| EMBEDDED				{ struct embedded *e;

						  e = build_embedded(p, $1, @1, false);
						  vec_push(&p->file->embeds, e); }
	;

opt_semicolon:
	  %empty
	| ';'
	;

/* ---- globals ---- */

globals:
	  global				{ $$ = arena_new(struct var_list);
						  vec_push($$, $1); }
	| globals ',' global			{ vec_push($1, $3); $$ = $1; }
	;

global:
	  IDENT opt_wrap opt_init		{ $$ = build_global(p, $1, $2, NULL, $3, @1); }
	| IDENT opt_wrap '[' number ']' opt_init
						{ $$ = build_global(p, $1, $2, &$4, $6, @1); }
	;

opt_wrap:
	  %empty				{ $$ = 0; }
	| '%'					{ $$ = 1; }
	;

opt_init:
	  %empty				{ $$ = NULL; }
	| '=' literal				{ $$ = $2; }
	;

literal:
	  number				{ $$ = expr_num($1, @1); }
	| STRING				{ $$ = expr_str($1, @1); }
	;

number:
	  sign NUMBER				{ $$ = $1 < 0 ? (int64_t)-(uint64_t)$2 : $2; }
	;

sign:
	  %empty				{ $$ = 1; }
	| '-'					{ $$ = -1; }
	| '+'					{ $$ = 1; }
	;

/* ---- functions ---- */

function:
	  FUNCTION IDENT opt_type '(' opt_params ')' opt_priority function_body
						{ $$ = build_function(p, $2, $3, $5, $7, $8,
								      @2); }
	| FUNCTION IDENT opt_type '(' opt_params ')' opt_priority '=' IDENT
						{ $$ = build_function(p, $2, $3, $5, $7, NULL,
								      @2);
						  bind_builtin(p, $$, $9, @9); }
	;

opt_params:
	  %empty				{ $$ = arena_new(struct var_list); }
	| params
	| params ','
	;

params:
	  param					{ $$ = arena_new(struct var_list);
						  vec_push($$, $1); }
	| params ',' param			{ vec_push($1, $3); $$ = $1; }
	;

param:
	  IDENT opt_type			{ $$ = build_param($1, $2, @1); }
	;

opt_type:
	  %empty				{ $$ = T_UNKNOWN; }
	| ':' STRING_TYPE			{ $$ = T_STRING; }
	| ':' LONG_TYPE				{ $$ = T_LONG; }
	;

opt_priority:
	  %empty				{ $$ = -1; }
	| ':' NUMBER				{ $$ = $2;
						  if ($2 <= 0)
							parse_error(p, @2, "specified priority "
								    "must be > 0"); }
	;

function_body:
	  block
	| EMBEDDED				{ $$ = stmt_new(S_EMBEDDED, @1);
						  $$->embedded = build_embedded(p, $1, @1,
										false); }
	;

/* ---- probes ---- */

probe:
	  PROBE points block			{ declare_probe(p, $2, $3, @1); }
	| PROBE point '=' points block		{ declare_alias(p, $2, false, $4, $5, NULL, @1); }
	| PROBE point '=' points block ',' block
						{ declare_alias(p, $2, false, $4, $5, $7, @1); }
	| PROBE point "+=" points block		{ declare_alias(p, $2, true, $4, $5, NULL, @1); }
	;

points:
	  point
	| points ',' point			{ for (size_t i = 0; i < $3->n; i++)
							vec_push($1, $3->v[i]);
						  $$ = $1; }
	;

point:
	  chain mark condition			{ point_qualify($1, $2);
						  point_condition($1, $3);
						  $$ = $1; }
	;

mark:
	  %empty				{ $$ = 0; }
	| '?'					{ $$ = '?'; }
	| '!'					{ $$ = '!'; }
	;

condition:
	  %empty				{ $$ = NULL; }
	| IF '(' expr ')'			{ $$ = $3; }
	;

chain:
	  component
	| chain '.' component			{ $$ = point_join(p, $1, $3); }
	;

component:
	  POINT					{ $$ = point_part($1, NULL, @1); }
	| POINT '(' literal ')'			{ $$ = point_part($1, $3, @1); }
	| '{' alternatives '}'			{ $$ = $2; }
	;

alternatives:
	  alternative
	| alternatives ',' alternative		{ for (size_t i = 0; i < $3->n; i++)
							vec_push($1, $3->v[i]);
						  $$ = $1; }
	;

alternative:
	  chain mark				{ point_qualify($1, $2); $$ = $1; }
	;

/* ---- statements ---- */

block:
	  '{' stmts '}'				{ $$ = stmt_done(p, $2); $$->loc = @1; }
	;

stmts:
	  %empty				{ $$ = stmt_new(S_BLOCK, @$); }
	| stmts stmt				{ if ($2->kind != S_EMPTY)
							vec_push(&$1->body, $2);
						  $$ = $1; }
	;

stmt:
	  block
	| ';'					{ $$ = stmt_new(S_EMPTY, @1); }
	| expr opt_end				{ $$ = build_expr_stmt(p, $1); }
	| IF '(' expr ')' stmt opt_else		{ $$ = stmt_new(S_IF, @1);
						  $$->expr = build_condition(p, $3);
						  $$->then = $5;
						  $$->els = $6;
						  stmt_done(p, $$); }
	| WHILE '(' expr ')' stmt		{ $$ = build_loop(p, NULL, $3, NULL, $5, @1); }
	| FOR '(' opt_expr ';' opt_expr ';' opt_expr ')' stmt
						{ $$ = build_loop(p, $3, $5, $7, $9, @1); }
	| FOREACH '(' foreach_head ')' stmt	{ $$ = stmt_new(S_FOREACH, @1);
						  $$->foreach = $3;
						  $$->then = $5;
						  stmt_done(p, $$); }
	| RETURN opt_end			{ $$ = stmt_new(S_RETURN, @1); }
	| RETURN expr opt_end			{ $$ = stmt_new(S_RETURN, @1);
						  $$->expr = $2;
						  stmt_done(p, $$); }
	| DELETE deleted opt_end		{ $$ = stmt_new(S_DELETE, @1);
						  $$->expr = $2;
						  stmt_done(p, $$); }
	| NEXT opt_end				{ $$ = stmt_new(S_NEXT, @1); }
	| BREAK opt_end				{ $$ = stmt_new(S_BREAK, @1); }
	| CONTINUE opt_end			{ $$ = stmt_new(S_CONTINUE, @1); }
	| TRY block CATCH block			{ $$ = build_try(p, $2, NULL, $4, @1); }
	| TRY block CATCH '(' IDENT ')' block	{ $$ = build_try(p, $2, $5, $7, @1); }
	;

deleted:
	  IDENT					{ $$ = build_named(p, E_SYMBOL, $1, NULL, @1); }
	| IDENT '[' keys ']'			{ $$ = build_named(p, E_INDEX, $1, $3, @1); }
	| '(' deleted ')'			{ $$ = $2; }
	;

opt_end:
	  %empty
	| ';'
	;

opt_else:
	  %empty				{ $$ = NULL; }
	| ELSE stmt				{ $$ = $2; }
	;

opt_expr:
	  %empty				{ $$ = NULL; }
	| expr
	;

/* ---- foreach ---- */

foreach_head:
	  foreach_keys IN foreach_over foreach_by opt_limit
						{ $$ = build_foreach(p, $3, NULL, $1, $4);
						  $$->limit = $5; }
	| foreach_name '=' foreach_keys IN foreach_over foreach_by opt_limit
						{ $$ = build_foreach(p, $5, $1, $3, $6);
						  $$->limit = $7; }
	;

foreach_keys:
	  foreach_name				{ $$ = arena_new(struct sorted_list);
						  vec_push($$, *$1); }
	| '[' foreach_names ']'			{ $$ = $2; }
	;

foreach_names:
	  foreach_name				{ $$ = arena_new(struct sorted_list);
						  vec_push($$, *$1); }
	| foreach_names ',' foreach_name	{ vec_push($1, *$3); $$ = $1; }
	;

foreach_name:
	  IDENT					{ $$ = build_sorted(p, $1, 0, STAT_NONE, @1); }
	| IDENT sort_sign			{ $$ = build_sorted(p, $1, $2, STAT_NONE, @2); }
	;

sort_sign:
	  '+'					{ $$ = '+'; }
	| '-'					{ $$ = '-'; }
	;

foreach_over:
	  IDENT					{ $$ = arena_new(struct foreach);
						  $$->array = $1;
						  $$->array_loc = @1; }
	| IDENT '[' keys ']'			{ $$ = arena_new(struct foreach);
						  $$->array = $1;
						  $$->array_loc = @1;
						  list_move(&$$->slice, $3); }
	| hist					{ $$ = arena_new(struct foreach);
						  $$->hist = $1;
						  $$->array_loc = @1; }
	;

foreach_by:
	  %empty				{ $$ = NULL; }
	| sort_sign				{ $$ = build_sorted(p, NULL, $1, STAT_NONE, @1); }
	| stat_op sort_sign			{ $$ = build_sorted(p, NULL, $2, $1, @1); }
	;

stat_op:
	  AT_STAT
	| AT_VARIANCE
	;

opt_limit:
	  %empty				{ $$ = NULL; }
	| LIMIT expr				{ $$ = $2; }
	;

/* ---- expressions, from the loosest operator to the tightest ---- */

expr:
	  cond
	| cond assign_op expr			{ $$ = build_assign(p, $2, $1, $3, @2); }
	;

assign_op:
	  '='					{ $$ = OP_NONE; }
	| "+="					{ $$ = OP_ADD; }
	| "-="					{ $$ = OP_SUB; }
	| "*="					{ $$ = OP_MUL; }
	| "/="					{ $$ = OP_DIV; }
	| "%="					{ $$ = OP_MOD; }
	| "<<="					{ $$ = OP_SHL; }
	| ">>="					{ $$ = OP_SHR; }
	| "&="					{ $$ = OP_AND; }
	| "|="					{ $$ = OP_OR; }
	| "^="					{ $$ = OP_XOR; }
	| ".="					{ $$ = OP_CONCAT; }
	| "<<<"					{ $$ = OP_STAT; }
	;

cond:
	  lor
	| lor '?' expr ':' cond			{ $$ = build_ternary(p, $1, $3, $5, @2); }
	;

lor:
	  land
	| lor "||" land				{ $$ = build_binary(p, OP_LOR, $1, $3, @2); }
	;

land:
	  bor
	| land "&&" bor				{ $$ = build_binary(p, OP_LAND, $1, $3, @2); }
	;

bor:
	  bxor
	| bor '|' bxor				{ $$ = build_binary(p, OP_OR, $1, $3, @2); }
	;

bxor:
	  band
	| bxor '^' band				{ $$ = build_binary(p, OP_XOR, $1, $3, @2); }
	;

band:
	  member
	| band '&' member			{ $$ = build_binary(p, OP_AND, $1, $3, @2); }
	;

member:
	  relation
	| member IN IDENT			{ struct expr_list *keys;

						  keys = arena_new(struct expr_list);
						  vec_push(keys, $1);
						  $$ = build_in(p, keys, $3, @2); }
	| '[' keys ']' IN IDENT			{ $$ = build_in(p, $2, $5, @4); }
	| member IN hist			{ struct expr_list *keys;

						  keys = arena_new(struct expr_list);
						  vec_push(keys, $1);
						  $$ = build_hist_in(p, keys, $3, @2); }
	| '[' keys ']' IN hist			{ $$ = build_hist_in(p, $2, $5, @4); }
	;

/* All comparisons have the same precedence, unlike in C. */
relation:
	  shift
	| relation "==" shift			{ $$ = build_binary(p, OP_EQ, $1, $3, @2); }
	| relation "!=" shift			{ $$ = build_binary(p, OP_NE, $1, $3, @2); }
	| relation '<' shift			{ $$ = build_binary(p, OP_LT, $1, $3, @2); }
	| relation '>' shift			{ $$ = build_binary(p, OP_GT, $1, $3, @2); }
	| relation "<=" shift			{ $$ = build_binary(p, OP_LE, $1, $3, @2); }
	| relation ">=" shift			{ $$ = build_binary(p, OP_GE, $1, $3, @2); }
	| relation "=~" shift			{ $$ = build_regex(p, OP_MATCH, $1, $3, @2); }
	| relation "!~" shift			{ $$ = build_regex(p, OP_NOMATCH, $1, $3, @2); }
	;

shift:
	  concat
	| shift "<<" concat			{ $$ = build_binary(p, OP_SHL, $1, $3, @2); }
	| shift ">>" concat			{ $$ = build_binary(p, OP_SHR, $1, $3, @2); }
	;

concat:
	  sum
	| concat '.' sum			{ $$ = build_binary(p, OP_CONCAT, $1, $3, @2); }
	;

sum:
	  product
	| sum '+' product			{ $$ = build_binary(p, OP_ADD, $1, $3, @2); }
	| sum '-' product			{ $$ = build_binary(p, OP_SUB, $1, $3, @2); }
	;

product:
	  unary
	| product '*' unary			{ $$ = build_binary(p, OP_MUL, $1, $3, @2); }
	| product '/' unary			{ $$ = build_binary(p, OP_DIV, $1, $3, @2); }
	| product '%' unary			{ $$ = build_binary(p, OP_MOD, $1, $3, @2); }
	;

unary:
	  crement
	| '-' unary				{ $$ = build_unary(p, UOP_NEG, $2, @1); }
	| '+' unary				{ $$ = build_unary(p, UOP_PLUS, $2, @1); }
	| '!' unary				{ $$ = build_unary(p, UOP_NOT, $2, @1); }
	| '~' unary				{ $$ = build_unary(p, UOP_COMPL, $2, @1); }
	;

crement:
	  value
	| value "++"				{ $$ = build_incdec(p, $1, 1, false, @2); }
	| value "--"				{ $$ = build_incdec(p, $1, -1, false, @2); }
	| "++" value				{ $$ = build_incdec(p, $2, 1, true, @1); }
	| "--" value				{ $$ = build_incdec(p, $2, -1, true, @1); }
	| EMBEDDED				{ $$ = expr_new(E_EMBEDDED, @1);
						  $$->embedded = build_embedded(p, $1, @1,
										true); }
	;

value:
	  primary
	| target				{ $$ = expr_done(p, $1); }
	| '&' target				{ $$ = build_address(p, $2, @1); }
	| '&' primary				{ $$ = build_address(p, $2, @1); }
	;

primary:
	  NUMBER				{ $$ = expr_num($1, @1); }
	| STRING				{ $$ = expr_str($1, @1); }
	| IDENT					{ $$ = build_named(p, E_SYMBOL, $1, NULL, @1); }
	| IDENT '[' args ']'			{ $$ = build_named(p, E_INDEX, $1, $3, @1); }
	| IDENT '(' opt_args ')'		{ $$ = build_call(p, $1, $3, @1); }
	| '(' expr ')'				{ $$ = $2; }
	| hist '[' expr ']'			{ $$ = build_operator(p, E_HIST_INDEX, $1, $3, NULL,
								      @1); }
	| AT_STAT '(' expr ')'			{ $$ = build_stat(p, $1, $3, @1); }
	| AT_VARIANCE '(' expr ')'		{ $$ = build_stat(p, $1, $3, @1); }
	| AT_VARIANCE '(' expr ',' number ')'	{ $$ = build_stat(p, $1, $3, @1);
						  stat_param($$, $5); }
	| "@defined" '(' expr ')'		{ $$ = build_operator(p, E_DEFINED, $3, NULL, NULL,
								      @1); }
	| "@entry" '(' expr ')'			{ $$ = build_operator(p, E_ENTRY, $3, NULL, NULL,
								      @1); }
	| "@perf" '(' STRING ')'		{ if (!*$3)
							parse_error(p, @3, "expected the name of "
								    "a counter, not an empty string");
						  $$ = build_operator(p, E_PERF, NULL, NULL, $3,
								      @1); }
	| "@const" '(' STRING ')'		{ $$ = build_const(p, $3, @1); }
	| "@enum" '(' STRING opt_module ')'	{ $$ = build_named_target(p, TV_ENUM, $3, NULL, $4,
									  @1); }
	| "@enumname" '(' expr ')'		{ $$ = build_named_target(p, TV_ENUMNAME, NULL, $3,
									  NULL, @1); }
	| "@enumname" '(' expr ',' STRING opt_module ')'
						{ $$ = build_named_target(p, TV_ENUMNAME, $5, $3,
									  $6, @1); }
	| "@probewrite" '(' variable ')'	{ $$ = build_operator(p, E_PROBEWRITE, NULL, NULL,
								      $3, @1); }
	| "@kderef" '(' expr ',' expr ')'	{ $$ = build_deref(p, E_DEREF, false, $3, $5, @1); }
	| "@uderef" '(' expr ',' expr ')'	{ $$ = build_deref(p, E_DEREF, true, $3, $5, @1); }
	| "@kregister" '(' expr ')'		{ $$ = build_deref(p, E_REGISTER, false, $3, NULL,
								   @1); }
	| "@uregister" '(' expr ')'		{ $$ = build_deref(p, E_REGISTER, true, $3, NULL,
								   @1); }
	| "@choose_defined" '(' expr ',' expr ')'
						{ $$ = build_choose(p, $3, $5, @1); }
	;

variable:
	  IDENT
	| TARGET
	;

hist:
	  AT_HIST_LOG '(' expr ')'		{ $$ = build_stat(p, $1, $3, @1); }
	| AT_HIST_LINEAR '(' expr ',' number ',' number ',' number ')'
						{ $$ = build_stat(p, $1, $3, @1);
						  stat_param($$, $5);
						  stat_param($$, $7);
						  stat_param($$, $9); }
	;

target:
	  TARGET				{ $$ = build_dollar(p, $1, @1); }
	| "@var" '(' STRING opt_module ')'	{ $$ = build_named_target(p, TV_VAR, $3, NULL, $4,
									  @1); }
	| "@cast" '(' expr ',' STRING opt_module ')'
						{ $$ = build_named_target(p, TV_CAST, $5, $3, $6,
									  @1); }
	| primary "->" IDENT			{ $$ = build_auto(p, $1, @2);
						  target_field(p, $$, $3, @3); }
	| primary '[' expr ']'			{ $$ = build_auto(p, $1, @2);
						  target_index(p, $$, $3, @2); }
	| primary PRETTY			{ $$ = build_auto(p, $1, @2);
						  target_pretty(p, $$, $2, @2); }
	| target "->" IDENT			{ target_field(p, $1, $3, @3); $$ = $1; }
	| target '[' expr ']'			{ target_index(p, $1, $3, @2); $$ = $1; }
	| target PRETTY				{ target_pretty(p, $1, $2, @2); $$ = $1; }
	;

opt_module:
	  %empty				{ $$ = NULL; }
	| ',' STRING				{ $$ = $2; }
	;

opt_args:
	  %empty				{ $$ = arena_new(struct expr_list); }
	| args
	;

args:
	  arg					{ $$ = arena_new(struct expr_list);
						  vec_push($$, $1); }
	| args ',' arg				{ vec_push($1, $3); $$ = $1; }
	;

arg:
	  expr
	| hist
	;

/* Keys of an array; NULL is '*'. */
keys:
	  key					{ $$ = arena_new(struct expr_list);
						  vec_push($$, $1); }
	| keys ',' key				{ vec_push($1, $3); $$ = $1; }
	;

key:
	  expr
	| '*'					{ $$ = NULL; }
	;

%%

static int grammar_lex(GRAMMAR_STYPE *value, struct loc *at, struct parser *p)
{
	struct lexeme t = feed_next(&p->feed);

	p->before = p->token;
	p->token = t;
	*at = t.loc;
	if (t.kind == '{')
		vec_push(&p->braces, t.loc);
	else if (t.kind == '}' && p->braces.n)
		p->braces.n--;
	if (t.kind == JUNK)	/* reported by preproc_error() */
		return GRAMMAR_error;
	if (t.kind == NUMBER || t.kind == AT_STAT || t.kind == AT_VARIANCE ||
	    t.kind == AT_HIST_LOG || t.kind == AT_HIST_LINEAR)
		value->num = t.num;
	else
		value->str = t.text;
	return t.kind;
}

/*
 * Called only when bison's stack is exhausted; yyreport_syntax_error() reports
 * syntax errors.
 */
static void grammar_error(const struct loc *at, struct parser *p, const char *msg)
{
	(void)msg;
	parse_error(p, *at, "expressions or statements are nested too deeply");
}

/* ---- the tokens expected ---- */

struct expectation {
	yysymbol_kind_t tokens[YYNTOKENS];
	int n;
};

static bool expects(const struct expectation *e, yysymbol_kind_t kind)
{
	for (int i = 0; i < e->n; i++)
		if (e->tokens[i] == kind)
			return true;
	return false;
}

/* Returns a token as users write it. */
static const char *spelling(yysymbol_kind_t kind)
{
	const char *name = yysymbol_name(kind);
	size_t len = strlen(name);

	if (len > 2 && name[0] == '\'')
		return arena_strndup(name + 1, len - 2);
	return name;
}

/* Does the token end an operand?  Any operator may follow one; messages list only these tokens. */
static bool ends_operand(const char *s)
{
	return strlen(s) == 1 && strchr(",)];:}{", *s);
}

static const char *expected_list(const struct expectation *e)
{
	bool operand = expects(e, YYSYMBOL_OR), function = expects(e, YYSYMBOL_EMBEDDED);
	struct sbuf b = { 0 };
	int n = 0;

	for (int i = 0; i < e->n; i++) {
		const char *s = spelling(e->tokens[i]);

		if (e->tokens[i] == YYSYMBOL_YYEOF || (operand && !ends_operand(s)))
			continue;
		if (function && !strcmp(s, "="))	/* "= builtin" is the library's */
			continue;
		sbuf_printf(&b, n++ ? " %s" : "%s", s);
	}

	const char *list = sbuf_take(&b);

	return arena_printf(n > 1 ? "one of '%s'" : "'%s'", list);
}

static const char *expectation_text(const struct expectation *e)
{
	if (expects(e, YYSYMBOL_PROBE))
		return "'probe', 'global', 'private', 'function', or '%{'";
	if (expects(e, YYSYMBOL_WHILE))
		return "statement";
	if (expects(e, YYSYMBOL_NUMBER) && expects(e, YYSYMBOL_STRING))
		return "literal string or number";
	if (expects(e, YYSYMBOL_NUMBER))
		return "number";
	if (expects(e, YYSYMBOL_STRING))
		return "literal string";
	if (expects(e, YYSYMBOL_POINT))
		return "identifier or '*' or '{'";
	if (expects(e, YYSYMBOL_FUNCTION))
		return "'function' or identifier";
	if (expects(e, YYSYMBOL_IDENT))
		return "identifier";
	if (expects(e, YYSYMBOL_LONG_TYPE))
		return "'string' or 'long'";
	return expected_list(e);
}

/* Hints at what to write instead of TEXT, which stands where a declaration was expected. */
static void hint_at_top(const char *text)
{
	static const char *const words[] = { "probe", "global", "private", "function" };
	const char *word = arena_strndup(text, strcspn(text, " \t\r\n(){}[]:;,.\"'"));
	const char *other = mistake_of_point(text);
	const char *near = diag_nearest(word, words, sizeof(words) / sizeof(*words), 1);

	if (!other && !near)
		other = mistake_of_word(word);
	if (other)
		diag_hint("%s", other);
	else if (near)
		diag_hint("did you mean: %s", near);
}

/* Hints at a probe point of another tool's, which has a colon behind a word: "kprobe:". */
static void hint_at_colon(const struct lexeme *colon)
{
	const struct source *src = colon->loc.src;
	const char *word = colon->raw;

	if (!src || word < src->text || word >= src->text + src->len)
		return;				/* from a macro */
	while (word > src->text && (isalnum((unsigned char)word[-1]) || word[-1] == '_'))
		word--;

	const char *other = word < colon->raw ? mistake_of_point(word) : NULL;

	if (other)
		diag_hint("%s", other);
}

/*
 * Hints at what to write instead of the token or the word in front of it: another language's, or a
 * usual mistake.
 */
static void hint_at_word(struct parser *p, const struct expectation *e)
{
	const struct lexeme *t = &p->token, *before = &p->before;
	const char *other = t->text ? mistake_of_word(t->text) : NULL;

	if (!other && before->kind == IDENT)
		other = mistake_of_word(before->text);
	if (other)
		diag_hint("%s", other);
	else if (t->kind == GLOBAL && expects(e, YYSYMBOL_NEXT))
		diag_hint("globals are declared outside of probes and functions");
	else if (t->kind == ',' && before->kind == IDENT && expects(e, YYSYMBOL_IN))
		diag_hint("foreach ([key1, key2] in array); with the value, foreach (value = key in array)");
	else if (t->kind == '*' && (before->kind == '(' || before->kind == '=' || before->kind == ','))
		diag_hint("pointers are followed by '->' and '[0]'; $name$ shows all that one leads to");
	else if (p->feed.in_point && before->kind == '(' && t->kind == ')')
		diag_hint("a probe point without an argument has no parentheses");
	else if (p->feed.in_point && before->kind == '(' && t->kind == IDENT)
		diag_hint("a name stands in double quotes: \"%s\"", t->text);
}

static int yyreport_syntax_error(const yypcontext_t *context, struct parser *p)
{
	struct expectation e;

	e.n = yypcontext_expected_tokens(context, e.tokens, YYNTOKENS);
	parse_expected(p, e.n > 0 ? expectation_text(&e) : "something else");
	if (expects(&e, YYSYMBOL_PROBE) && p->token.kind == IDENT)
		hint_at_top(p->token.raw);
	else if (p->token.raw && *p->token.raw == ':')
		hint_at_colon(&p->token);
	else if (!p->token.kind && p->braces.n)
		diag_also(p->braces.v[p->braces.n - 1], "this is still open");
	else
		hint_at_word(p, &e);
	return 0;
}
