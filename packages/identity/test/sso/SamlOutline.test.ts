import { assert, describe, it } from "@effect/vitest"
import { growth } from "@kanmon/testkit/Work"
import * as fc from "fast-check"
import { all, inside, NotOutlined, outline } from "../../src/sso/protocols/SamlOutline.ts"

const refusal = (xml: string): string => {
  try {
    outline(xml)
  } catch (error) {
    assert.instanceOf(error, NotOutlined)
    return error.message
  }
  return "read"
}

describe("the outline of a SAML answer", () => {
  it("has names without prefixes, attributes, texts and the order of elements", () => {
    const root = outline(
      `<?xml version="1.0"?>\n<p:A xmlns:p='urn:x' Id = "1"><p:B/> a &amp; b<C x="&lt;"><D>deep</D></C>\n</p:A>\n`
    )
    assert.deepStrictEqual(
      all(root).map(({ name }) => name),
      ["A", "B", "C", "D"]
    )
    assert.strictEqual(root.attributes.get("Id"), "1")
    assert.strictEqual(root.text, " a &amp; b\n")
    assert.strictEqual(inside(inside(root, "C")[0], "D")[0]?.text, "deep")
  })

  it.each([
    ["<a><!-- x --></a>", "contains a comment"],
    ["<a/><!-- x -->", "contains a comment"],
    ["<!DOCTYPE a><a/>", "contains a document type"],
    ["<a><![CDATA[x]]></a>", "contains CDATA"],
    ["<a><?x y?></a>", "contains a processing instruction"],
    ["<a>&own;</a>", "is not well-formed XML"],
    [`<a b="&own;"/>`, "is not well-formed XML"],
    [`<a b="1" b="2"/>`, "is not well-formed XML"],
    ["<a><b></a></b>", "is not well-formed XML"],
    ["<a>", "is not well-formed XML"],
    ["<a/>x", "is not well-formed XML"],
    ["x", "is not well-formed XML"],
    ["", "is not well-formed XML"],
    [`${"<a>".repeat(50)}${"</a>".repeat(50)}`, "has more than 40 levels"],
    [`<a>${"<b/>".repeat(6000)}</a>`, "has more than 1500 elements"],
    [`<a b="${"x".repeat(9000)}"/>`, "has an attribute of more than 8192 characters"]
  ])("refuses %s", (xml, words) => {
    assert.strictEqual(refusal(xml), words)
  })

  it("reads or refuses any text", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom("<a", ">", "/>", "</a>", " x='", '"', "'", "&amp;", "&", "<!--", "-->", "<?", " ", "t")
        ),
        (parts) => {
          refusal(parts.join(""))
        }
      )
    )
  })

  it.each([
    "<!--",
    "<a>",
    "<a ",
    "<a b='",
    "<SignatureMethod ",
    "&",
    "&amp;",
    "]]>",
    "<?",
    " ",
    "</",
    "<!DOCTYPE ",
    "a:"
  ])("takes time in proportion to the length: many %s, bare and within an element", async (part) => {
    for (const [before, after] of [
      ["", ""],
      ["<a>", "</a>"],
      ["<a ", "/>"],
      [`<a b="`, `"/>`]
    ])
      assert.isBelow(
        await growth((size) => refusal(`${before}${part.repeat(Math.ceil(size / part.length))}${after}`), 1_048_576),
        1.6,
        before
      )
  })
})
