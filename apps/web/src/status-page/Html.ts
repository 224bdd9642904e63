/** Templates that escape whatever is put into them; nothing else in this folder makes markup of text. */
import { html as template } from "htm/preact"
import { type ComponentChildren, Fragment, h, type VNode } from "preact"
import { renderToString } from "preact-render-to-string"

/** What a template gives, and what can be put into one. */
export type Html = VNode
export type HtmlChildren = ComponentChildren

/** A template with one root element. */
export const html = template as (strings: TemplateStringsArray, ...values: ReadonlyArray<unknown>) => Html

/** Several elements without one around them. */
export const rendered = (...children: ReadonlyArray<HtmlChildren>): string =>
  renderToString(h(Fragment, null, ...children))
