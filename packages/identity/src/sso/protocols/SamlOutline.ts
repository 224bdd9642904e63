/**
 * The elements of a SAML answer, read once from left to right: the XML parsers behind the signature take quadratic time for texts
 * that are not well-formed, and strangers can post them. Everything that an answer does not need is refused here: document types,
 * comments, CDATA, processing instructions, entities of its own, and more elements than an answer can have.
 */

/** An element. Names are without their prefix, those of attributes with it; values are as they were written. */
export interface Outline {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: ReadonlyArray<Outline>
  /** The text directly inside, as it was written. */
  readonly text: string
}

/** Why an answer is not read, as a part of a sentence. */
export class NotOutlined extends Error {}

const limits = { elements: 1500, depth: 40, attributes: 30, value: 8192, length: 1024 * 1024 }

const prologue = /\s*(?:<\?xml[^<>]*\?>\s*)?/y
const start = /<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)/y
const attribute = /\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const startEnd = /\s*(\/?)>/y
const end = /<\/(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)\s*>/y
const text = /(?:[^<&]+|&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\dA-Fa-f]{1,6});)*/y
const entity = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\dA-Fa-f]{1,6});)/

interface Open extends Outline {
  readonly attributes: Map<string, string>
  readonly children: Array<Open>
  text: string
}

const special = (xml: string, at: number): string => {
  if (xml.startsWith("<!--", at)) return "contains a comment"
  if (xml.startsWith("<![CDATA[", at)) return "contains CDATA"
  if (xml.startsWith("<!", at)) return "contains a document type"
  if (xml.startsWith("<?", at)) return "contains a processing instruction"
  return "is not well-formed XML"
}

/** The outermost element. Takes time in proportion to the length of the text. Throws `NotOutlined`. */
export const outline = (xml: string): Outline => {
  if (xml.length > limits.length) throw new NotOutlined(`has more than ${limits.length} characters`)
  let at = 0
  let elements = 0
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(xml)
    if (found !== null) at = pattern.lastIndex
    return found
  }
  const fail = (detail: string): never => {
    throw new NotOutlined(detail)
  }

  /** Reads a start tag; whether the element is empty. */
  const opened = (): { readonly element: Open; readonly isEmpty: boolean } => {
    const [, name] = next(start) ?? fail(special(xml, at))
    if (++elements > limits.elements) fail(`has more than ${limits.elements} elements`)
    const element: Open = { name: name!, attributes: new Map(), children: [], text: "" }
    for (let found = next(attribute); found !== null; found = next(attribute)) {
      const value = found[2] ?? found[3]!
      if (value.length > limits.value) fail(`has an attribute of more than ${limits.value} characters`)
      if (entity.test(value) || element.attributes.has(found[1]!)) fail("is not well-formed XML")
      element.attributes.set(found[1]!, value)
      if (element.attributes.size > limits.attributes)
        fail(`has an element with more than ${limits.attributes} attributes`)
    }
    const [, slash] = next(startEnd) ?? fail("is not well-formed XML")
    return { element, isEmpty: slash === "/" }
  }

  next(prologue)
  const { element: root, isEmpty } = opened()
  const path = isEmpty ? [] : [root]
  while (path.length > 0) {
    const parent = path.at(-1)!
    parent.text += next(text)![0]
    const closed = next(end)
    if (closed !== null) {
      if (closed[1] !== parent.name) fail("is not well-formed XML")
      path.pop()
      continue
    }
    const { element, isEmpty } = opened()
    parent.children.push(element)
    if (isEmpty) continue
    if (path.push(element) > limits.depth) fail(`has more than ${limits.depth} levels`)
  }
  if (xml.slice(at).trim() !== "") fail(special(xml, at + xml.slice(at).search(/\S/)))
  return root
}

/** The element and everything below it. */
export const all = (element: Outline): ReadonlyArray<Outline> => [element, ...element.children.flatMap(all)]

/** The children with a name. */
export const inside = (element: Outline | undefined, name: string): ReadonlyArray<Outline> =>
  element?.children.filter((child) => child.name === name) ?? []
