/**
 * Text with a maximum length. Effect runs all checks of a schema, also after one has failed, so a pattern after a usual
 * length check still reads the whole text. Here the length is the first check and stops the others, so patterns see
 * short texts only.
 */
import { Schema, SchemaAST } from "effect"

type Marked = Schema.Annotations.Filter & { readonly boundsText?: true }

const marked = (annotations: Schema.Annotations.Filter): Marked => ({ ...annotations, boundsText: true })

/** Text of at most `maximum` UTF-16 code units. Checks that are added to it do not run on longer texts. */
export const boundedText = (maximum: number, message = `Expected at most ${maximum} characters`) =>
  Schema.String.check(Schema.isMaxLength(maximum, marked({ message })).abort())

/** The same with a minimum, 1 by default. */
export const filledText = (
  maximum: number,
  { minimum = 1, message = `Expected ${minimum} to ${maximum} characters` }: { minimum?: number; message?: string } = {}
) => Schema.String.check(Schema.isBetweenLength(minimum, maximum, marked({ message })).abort())

/** The first check of text that is described in another way: `maximum` is not part of the JSON Schema. */
export const bound = (maximum: number, message: string) =>
  Schema.isMaxLength(maximum, marked({ message, toJsonSchema: () => [{}, true] })).abort()

const guardedText = (maximum: number, message: string) => Schema.String.check(bound(maximum, message))

/** The text if it has at most `maximum` UTF-16 code units, otherwise none: a longer one means nothing where this is used. */
export const upTo = (text: string, maximum: number): string => (text.length > maximum ? "" : text)

/** Text of at most `maximum` UTF-16 code units that matches the pattern. */
export const patternText = (maximum: number, pattern: RegExp, message: string) =>
  guardedText(maximum, message).check(Schema.isPattern(pattern, { message }))

/** Text of at most `maximum` UTF-16 code units that passes the filter: undefined, or what is wrong with it. */
export const filteredText = (
  maximum: number,
  problem: (text: string) => string | undefined,
  {
    message = `Expected at most ${maximum} characters`,
    ...annotations
  }: Schema.Annotations.Filter & { message?: string } = {}
) =>
  guardedText(maximum, message).check(
    // A check without a JSON Schema takes the description of the text with it.
    Schema.makeFilter(problem, { toJsonSchema: () => ({ maxLength: maximum }), ...annotations })
  )

const isBound = (check: SchemaAST.Check<unknown> | undefined): boolean =>
  check?._tag === "Filter" && check.aborted && check.annotations?.["boundsText"] === true

/**
 * The paths of texts in a schema that are not bounded by their first check. Keys of records count if they are checked.
 */
export const unboundedTexts = ({ ast: root }: Schema.Constraint): ReadonlyArray<string> => {
  const found: Array<string> = []
  const seen = new Set<SchemaAST.AST>()
  const visit = (ast: SchemaAST.AST, path: string): void => {
    if (seen.has(ast)) return
    seen.add(ast)
    for (const link of ast.encoding ?? []) visit(link.to, path)
    // A text that is derived from another one is bounded by that one.
    if (SchemaAST.isString(ast) && ast.encoding === undefined && !isBound(ast.checks?.[0])) found.push(path)
    if (SchemaAST.isDeclaration(ast)) for (const inner of ast.typeParameters) visit(inner, path)
    if (SchemaAST.isUnion(ast)) for (const inner of ast.types) visit(inner, path)
    if (SchemaAST.isArrays(ast)) for (const inner of [...ast.elements, ...ast.rest]) visit(inner, `${path}[]`)
    if (SchemaAST.isSuspend(ast)) visit(ast.thunk(), path)
    if (!SchemaAST.isObjects(ast)) return
    for (const { name, type } of ast.propertySignatures)
      visit(type, path === "" ? String(name) : `${path}.${String(name)}`)
    for (const { parameter, type } of ast.indexSignatures) {
      if (parameter.checks !== undefined) visit(parameter, `${path}{}`)
      visit(type, `${path}.*`)
    }
  }
  visit(root, "")
  return found
}
