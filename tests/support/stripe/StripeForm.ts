/** Stripe's request bodies: form fields with brackets. */

export type Form = { readonly [name: string]: FormValue }
export type FormValue = string | Form | ReadonlyArray<FormValue>

/** `items[0][price]=p` becomes `{items: [{price: "p"}]}`. */
export const parse = (body: string): Form => {
  const root: Record<string, any> = {}
  for (const [name, value] of new URLSearchParams(body)) {
    const keys = [...name.matchAll(/[^[\]]+/g)].map(([key]) => key)
    let node = root
    keys.forEach((key, index) => {
      if (index === keys.length - 1) node[key] = value
      else node = node[key] ??= {}
    })
  }
  return listed(root) as Form
}

const listed = (node: unknown): unknown => {
  if (typeof node !== "object" || node === null) return node
  const entries = Object.entries(node).map(([key, value]) => [key, listed(value)] as const)
  return entries.length > 0 && entries.every(([key], index) => key === String(index))
    ? entries.map(([, value]) => value)
    : Object.fromEntries(entries)
}

/** The parameters of a request: `true` is required, `false` is optional. */
export type Shape = Readonly<Record<string, boolean>>

/** Stripe's objection to a form, if any. */
export const objection = (form: Form, shape: Shape): { readonly code: string; readonly param: string } | undefined => {
  const unknown = Object.keys(form).find((name) => !(name in shape))
  if (unknown !== undefined) return { code: "parameter_unknown", param: unknown }
  const missing = Object.keys(shape).find((name) => shape[name] === true && !(name in form))
  return missing === undefined ? undefined : { code: "parameter_missing", param: missing }
}
