/** Rules of the house that oxlint does not have; `oxlint.config.ts` says where they apply. Paths are seen from the root of the repository. */
import * as path from "node:path"
import { analyse } from "scslre"
import { type Context, fileOf, type Node, rule, type Visitor } from "./Rule.ts"
import { writesInPlace } from "./writes.ts"

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

/** How a text is read: by a method of it, or by a function that takes it. */
const readsItself = new Set(["match", "matchAll", "replace", "replaceAll", "search", "split"])
const readsArgument = new Set(["exec", "test", "parse"])
const readers = new Set(["URL", "URLSearchParams", "RegExp", "decodeURIComponent", "decodeURI"])
/** Methods whose answer is no longer than the text. */
const keepsLength = new Set(["trim", "trimStart", "trimEnd", "at", "slice"])

/** What is said around an expression without changing it. */
const bare = (node: Node): Node =>
  node.type === "ChainExpression" || node.type === "TSNonNullExpression" || node.type === "TSAsExpression"
    ? bare(node["expression"] as Node)
    : node

const memberOf = (node: Node): string | undefined =>
  node.type === "MemberExpression" && node["computed"] !== true ? String((node["property"] as Node)["name"]) : undefined

/** Texts that the options name, such as what a schema has decoded: they are bounded before they are here. */
interface Bounded {
  readonly names: ReadonlyArray<string>
}

/** The text that a call or `new` reads, if it reads one. */
const readBy = (node: Node): Node | undefined => {
  const callee = bare(node["callee"] as Node)
  const [first, ...rest] = node["arguments"] as ReadonlyArray<Node>
  if (first === undefined) return undefined
  if (callee.type === "Identifier") return readers.has(String(callee["name"])) ? first : undefined
  const method = memberOf(callee)
  if (method === undefined || node.type === "NewExpression") return undefined
  const owner = bare(callee["object"] as Node)
  if (readsArgument.has(method))
    return rest.length > 0 || (method === "parse" && owner["name"] !== "JSON") ? undefined : first
  // Functions of libraries have such names too, and take what they work on.
  const isOfText = !/^[A-Z]/.test(String(owner["name"] ?? "")) && !["ObjectExpression"].includes(first.type)
  return isOfText &&
    readsItself.has(method) &&
    (method.startsWith("replace") || rest.length === 0 || method === "split")
    ? owner
    : undefined
}

/**
 * No text is matched, split or parsed before its length is bounded, where texts come from outside. A text is bounded when it is
 * written here, cut (`upTo`, `slice` with an end), named by the options, or was compared by its `length` before.
 */
const boundedFirst = rule((context) => {
  const { names } = context.options[0] as Bounded
  const known = new Set(names)
  const isBounded = (given: Node | null | undefined): boolean => {
    if (given === null || given === undefined) return true
    const node = bare(given)
    switch (node.type) {
      case "Literal":
        return true
      case "TemplateLiteral":
        return (node["expressions"] as ReadonlyArray<Node>).every(isBounded)
      case "Identifier":
        return known.has(String(node["name"]))
      case "LogicalExpression":
      case "BinaryExpression":
        return isBounded(node["left"] as Node) && isBounded(node["right"] as Node)
      case "ConditionalExpression":
        return isBounded(node["consequent"] as Node) && isBounded(node["alternate"] as Node)
      case "MemberExpression": {
        const name = memberOf(node)
        return (name !== undefined && known.has(name)) || isBounded(node["object"] as Node)
      }
      case "CallExpression": {
        const callee = bare(node["callee"] as Node)
        if (callee["name"] === "upTo") return true
        const method = memberOf(callee)
        if (method === "slice" && (node["arguments"] as ReadonlyArray<Node>).length === 2) return true
        if (method === undefined) return false
        const isKept = keepsLength.has(method) || /^to(Lower|Upper)Case$/.test(method) || readsItself.has(method)
        return isKept && isBounded(callee["object"] as Node)
      }
      case "NewExpression":
        return (node["arguments"] as ReadonlyArray<Node>).every(isBounded)
      default:
        return false
    }
  }
  /** Names of what is bounded, from where it is. */
  const learn = (node: Node, isKnown: boolean): void => {
    if (!isKnown) return
    if (node.type === "Identifier") known.add(String(node["name"]))
    if (node.type === "ArrayPattern")
      for (const each of (node["elements"] as ReadonlyArray<Node | null>).filter((each) => each !== null))
        learn(each, true)
    if (node.type === "ObjectPattern")
      for (const each of node["properties"] as ReadonlyArray<Node>)
        learn((each["value"] ?? each["argument"]) as Node, true)
    if (node.type === "AssignmentPattern") learn(node["left"] as Node, true)
    if (node.type === "RestElement") learn(node["argument"] as Node, true)
  }
  const look = (node: Node): void => {
    const text = readBy(node)
    if (text !== undefined && !isBounded(text))
      context.report({ node, message: "Bound the length of this text before it is matched, split or parsed (`upTo`)." })
    // The parts of a bounded text are bounded.
    const callee = bare(node["callee"] as Node)
    if (callee.type !== "MemberExpression" || !isBounded(callee["object"] as Node)) return
    for (const argument of node["arguments"] as ReadonlyArray<Node>)
      for (const parameter of (argument["params"] ?? []) as ReadonlyArray<Node>) learn(parameter, true)
  }
  return {
    VariableDeclarator: (node) => learn(node["id"] as Node, Boolean(node["init"]) && isBounded(node["init"] as Node)),
    ForOfStatement: (node) => {
      const [declared] = ((node["left"] as Node)["declarations"] ?? []) as ReadonlyArray<Node>
      if (declared !== undefined) learn(declared["id"] as Node, isBounded(node["right"] as Node))
    },
    BinaryExpression: (node) => {
      if (!/^[<>]/.test(String(node["operator"]))) return
      for (const side of [node["left"], node["right"]] as ReadonlyArray<Node>)
        if (memberOf(bare(side)) === "length") learn(bare(bare(side)["object"] as Node), true)
    },
    CallExpression: look,
    NewExpression: look
  }
})

/** What a text begins with, as far as it is written here. */
const beginningOf = (node: Node | undefined): string => {
  if (node?.type === "Literal" && typeof node["value"] === "string") return node["value"]
  if (node?.type !== "TemplateLiteral") return ""
  const [first] = node["quasis"] as ReadonlyArray<{ readonly value: { readonly cooked: string } }>
  return first?.value.cooked ?? ""
}

const isRooted = (node: Node | undefined): boolean => /^\/(?!\/)/.test(beginningOf(node))

/** Where browsers are sent, by the name of the method. */
const opens = new Set(["assign", "replace", "open", "fetch"])
const addresses = new Set(["href", "src", "action", "formAction"])

/**
 * No address is put together from the root of the host: an installation may be below a path of it. Addresses begin with the
 * installation's own, of which this is known: the base address on the server, `browser/place.ts` in the dashboard.
 */
const ownAddress = rule((context) => {
  const report = (node: Node): void =>
    context.report({
      node,
      message:
        "This leaves out the path below which Kanmon may be served: begin with its base address (addressOf in the dashboard)."
    })
  const isOrigin = (node: Node | undefined): boolean =>
    node !== undefined && (node["name"] === "origin" || memberOf(bare(node)) === "origin")
  /** The whole path of a URL leaves nothing out. */
  const isPath = (node: Node | undefined): boolean =>
    node !== undefined &&
    (node["name"] === "pathname" ||
      memberOf(node) === "pathname" ||
      isPath((node["object"] ?? node["callee"]) as Node | undefined))
  return {
    NewExpression: (node) => {
      const [first, base] = node["arguments"] as ReadonlyArray<Node>
      // A base that is written out serves to parse the target of a request.
      if (
        (node["callee"] as Node)["name"] === "URL" &&
        base !== undefined &&
        base.type !== "Literal" &&
        isRooted(first)
      )
        report(node)
    },
    TemplateLiteral: (node) => {
      const parts = node["quasis"] as ReadonlyArray<{ readonly value: { readonly cooked: string } }>
      const [first, second] = node["expressions"] as ReadonlyArray<Node>
      const isWhole = parts[1]?.value.cooked === "" && (second === undefined || isPath(second))
      if (parts[0]?.value.cooked === "" && !isWhole && isOrigin(first)) report(node)
    },
    MemberExpression: (node) => {
      const owner = node["object"] as Node
      if (isOrigin(node) && (owner["name"] === "location" || memberOf(owner) === "location")) report(node)
    },
    CallExpression: (node) => {
      const callee = bare(node["callee"] as Node)
      const owner = callee["object"] as Node | undefined
      const isOfPage = owner === undefined || /^(?:location|window)$/.test(memberOf(owner) ?? String(owner["name"]))
      const [first] = node["arguments"] as ReadonlyArray<Node>
      if (isOfPage && opens.has(memberOf(callee) ?? String(callee["name"])) && isRooted(first)) report(node)
    },
    JSXAttribute: (node) => {
      const value = node["value"] as Node | null
      const held = value?.type === "JSXExpressionContainer" ? (value["expression"] as Node) : (value ?? undefined)
      if (addresses.has(String((node["name"] as Node)["name"])) && isRooted(held)) report(node)
    }
  }
})

export default {
  meta: { name: "kanmon" },
  rules: {
    "own-package": ownPackage,
    layers,
    "ambient-date": ambientDate,
    "linear-expressions": linearExpressions,
    "bounded-first": boundedFirst,
    "own-address": ownAddress,
    "writes-in-place": writesInPlace
  }
}
