/** The rule that keeps what changes data in one place for each resource. */
import { type Node, rule } from "./Rule.ts"

export interface Writes {
  /** Endings of routes that are sent as POST and change nothing. */
  readonly reads: ReadonlyArray<string>
  /** Methods that change what queries know. */
  readonly cache: ReadonlyArray<string>
}

const isWrite = /^(?:POST|PUT|PATCH|DELETE) \//

const typeParents = new Set(["TSLiteralType", "TSTemplateLiteralType"])

/** Whether a text is part of a type, which sends nothing. */
const isType = (node: Node | undefined): boolean =>
  node !== undefined &&
  (typeParents.has(node.type) || (node.type === "TemplateLiteral" && isType(node["parent"] as Node)))

/** Requests that change something, and what queries know of it, are said where the resource is and not in components. */
export const writesInPlace = rule((context) => {
  const { cache, reads } = context.options[0] as Writes
  const look = (node: Node, text: unknown): void => {
    if (typeof text !== "string" || !isWrite.test(text.slice(0, 10))) return
    if (isType(node["parent"] as Node | undefined) || reads.some((ending) => text.endsWith(ending))) return
    context.report({ node, message: `${text} changes something: call a hook of api/ or of the feature's writes.ts.` })
  }
  return {
    Literal: (node) => look(node, node["value"]),
    TemplateElement: (node) => look(node, (node["value"] as { readonly cooked: string | null }).cooked),
    CallExpression: ({ callee }) => {
      const { computed, name, property, type } = callee as Node
      if (type === "Identifier" && name === "useMutation")
        context.report({
          node: callee as Node,
          message: "Writes are hooks of useWrite, in api/ or the feature's writes.ts."
        })
      if (type !== "MemberExpression" || computed === true) return
      const method = String((property as Node)["name"])
      if (cache.includes(method))
        context.report({
          node: callee as Node,
          message: `${method} belongs to the hook of the write, in api/ or writes.ts.`
        })
    }
  }
})
