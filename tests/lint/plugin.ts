/** Rules of the house that oxlint does not have; `oxlint.config.ts` says where they apply. Paths are seen from the root of the repository. */
import * as path from "node:path"
import { analyse } from "scslre"

/** The parts of oxlint's syntax tree (ESTree) that the rules read. */
interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

interface Context {
  readonly filename: string
  readonly cwd: string
  readonly options: ReadonlyArray<unknown>
  readonly sourceCode: { readonly ast: Node }
  report(report: { readonly node: Node; readonly message: string }): void
}

type Visitor = Readonly<Record<string, (node: Node) => void>>

interface Rule {
  readonly meta: { readonly type: "problem"; readonly schema: false }
  create(context: Context): Visitor
}

const rule = (create: (context: Context) => Visitor): Rule => ({ meta: { type: "problem", schema: false }, create })

const fileOf = ({ cwd, filename }: Context): string => path.relative(cwd, filename).split(path.sep).join("/")

/** Visits each import and re-export by a relative path, types included. `to` is the path that it leads to. */
const relativeImports = (context: Context, visit: (node: Node, to: string) => void): Visitor => {
  const from = path.posix.dirname(fileOf(context))
  const look = (node: Node): void => {
    const source = (node["source"] ?? node["argument"]) as Node | null | undefined
    const value = (source?.["value"] ?? (source?.["literal"] as Node | undefined)?.["value"]) as unknown
    if (typeof value === "string" && value.startsWith(".")) visit(node, path.posix.join(from, value))
  }
  return {
    ImportDeclaration: look,
    ExportNamedDeclaration: look,
    ExportAllDeclaration: look,
    ImportExpression: look,
    TSImportType: look
  }
}

const packageOf = (file: string): string =>
  /^(?:docs\/examples\/plugins|apps\/server\/templates|packages|plugins|apps)\/[^/]+|^[^/]+/.exec(file)?.[0] ?? ""

/** Packages reach each other by name, through their declared exports. The option names the paths that are excepted. */
const ownPackage = rule((context) => {
  const own = packageOf(fileOf(context))
  const besides = (context.options[0] ?? []) as ReadonlyArray<string>
  return relativeImports(context, (node, to) => {
    if (packageOf(to) !== own && !besides.some((path) => to.startsWith(path)))
      context.report({ node, message: `${to} is part of another package: import it by its name.` })
  })
})

/** Folders below `within`: which of the others each one may not see, and whose subfolders do not see each other. */
export interface Layers {
  readonly within: string
  readonly hidden: Readonly<Record<string, ReadonlyArray<string>>>
  readonly apart: ReadonlyArray<string>
}

/** Layers of an application see each other in one direction. */
const layers = rule((context) => {
  const { apart, hidden, within } = context.options[0] as Layers
  const below = (file: string): ReadonlyArray<string> =>
    file.startsWith(`${within}/`) ? file.slice(within.length + 1).split("/") : []
  const [layer = "", part] = below(fileOf(context))
  return relativeImports(context, (node, file) => {
    const [toLayer = "", toPart] = below(file)
    if (hidden[layer]?.includes(toLayer)) context.report({ node, message: `${layer}/ does not see ${toLayer}/.` })
    if (layer === toLayer && apart.includes(layer) && part !== toPart)
      context.report({ node, message: `The folders of ${layer}/ do not see each other: move what they share.` })
  })
})

/** `new Date()` and `Date()` read the clock of the machine, which tests cannot set. */
const ambientDate = rule((context) => {
  const isDate = (node: Node): boolean => (node["callee"] as Node)["name"] === "Date"
  const report = (node: Node): void => context.report({ node, message: "Time goes through Effect's Clock." })
  return {
    NewExpression: (node) => {
      if (isDate(node) && (node["arguments"] as ReadonlyArray<Node>).length === 0) report(node)
    },
    CallExpression: (node) => {
      if (isDate(node)) report(node)
    }
  }
})

/** The texts of the constants at the top of a file. */
const constantsOf = (program: Node): ReadonlyMap<string, Node> =>
  new Map(
    (program["body"] as ReadonlyArray<Node>)
      .map((node) => (node["declaration"] as Node | null | undefined) ?? node)
      .filter((node) => node.type === "VariableDeclaration" && node["kind"] === "const")
      .flatMap((node) => node["declarations"] as ReadonlyArray<Node>)
      .flatMap((node) => (node["init"] ? [[String((node["id"] as Node)["name"]), node["init"] as Node] as const] : []))
  )

/** The text that an expression builds. A part that is not constant in this file counts as the text `1`. */
const textOf = (node: Node, constants: ReadonlyMap<string, Node>): string => {
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"]
  if (node.type === "Identifier") {
    const constant = constants.get(String(node["name"]))
    return constant === undefined ? "1" : textOf(constant, constants)
  }
  if (node.type === "TaggedTemplateExpression") {
    const template = node["quasi"] as Node
    return textOf({ ...template, isRaw: true }, constants)
  }
  if (node.type !== "TemplateLiteral") return "1"
  const parts = node["quasis"] as ReadonlyArray<{ readonly value: { readonly raw: string; readonly cooked: string } }>
  const between = node["expressions"] as ReadonlyArray<Node>
  return parts
    .map(({ value }, index) => {
      const part = node["isRaw"] === true ? value.raw : value.cooked
      return index < between.length ? part + textOf(between[index]!, constants) : part
    })
    .join("")
}

/** By pattern and flags: the same expression is in many files. */
const attacks = new Map<string, ReadonlyArray<string>>()

/** What can be repeated so that the expression takes more than linear time. */
const attacksOf = (source: string, flags: string): ReadonlyArray<string> => {
  const key = `${flags}/${source}`
  const known = attacks.get(key)
  if (known !== undefined) return known
  const found = analyse({ source, flags }, { assumeRejectingSuffix: false }).reports.map(
    ({ character, exponential, type }) =>
      `${JSON.stringify(character.pick)} repeated takes ${exponential ? "exponential" : "quadratic"} time (${type})`
  )
  const once = [...new Set(found)]
  attacks.set(key, once)
  return once
}

/** Expressions take linear time, so that no text keeps the event loop. */
const linearExpressions = rule((context) => {
  let constants: ReadonlyMap<string, Node> | undefined
  const look = (node: Node, source: string, flags: string): void => {
    for (const attack of attacksOf(source, flags))
      context.report({ node, message: `${attack}: make the parts exclusive, bound them, or do without an expression.` })
  }
  const made = (node: Node): void => {
    if ((node["callee"] as Node)["name"] !== "RegExp") return
    const [source, flags] = node["arguments"] as ReadonlyArray<Node>
    if (source === undefined || "regex" in source) return
    constants ??= constantsOf(context.sourceCode.ast)
    look(node, textOf(source, constants), flags === undefined ? "" : textOf(flags, constants))
  }
  return {
    Literal: (node) => {
      const regex = node["regex"] as { readonly pattern: string; readonly flags: string } | undefined
      if (regex !== undefined) look(node, regex.pattern, regex.flags)
    },
    NewExpression: made,
    CallExpression: made
  }
})

export default {
  meta: { name: "kanmon" },
  rules: {
    "own-package": ownPackage,
    layers,
    "ambient-date": ambientDate,
    "linear-expressions": linearExpressions
  }
}
