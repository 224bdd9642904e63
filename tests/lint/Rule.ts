/** What rules of the house are made of. */
import * as path from "node:path"

/** The parts of oxlint's syntax tree (ESTree) that the rules read. */
export interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

export interface Context {
  readonly filename: string
  readonly cwd: string
  readonly options: ReadonlyArray<unknown>
  readonly sourceCode: { readonly ast: Node }
  report(report: { readonly node: Node; readonly message: string }): void
}

export type Visitor = Readonly<Record<string, (node: Node) => void>>

export interface Rule {
  readonly meta: { readonly type: "problem"; readonly schema: false }
  create(context: Context): Visitor
}

export const rule = (create: (context: Context) => Visitor): Rule => ({
  meta: { type: "problem", schema: false },
  create
})

export const fileOf = ({ cwd, filename }: Context): string => path.relative(cwd, filename).split(path.sep).join("/")
