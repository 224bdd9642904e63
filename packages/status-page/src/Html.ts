/** HTML templates that escape their values; all markup in this package is made with them. */
import { html as template } from "htm/preact"
import { type ComponentChildren, Fragment, h, type VNode } from "preact"
import { renderToString } from "preact-render-to-string"

/** The result of a template, which can be a value of another. */
export type Html = VNode
export type HtmlChildren = ComponentChildren

/** A template with one root element. */
export const html = template as (strings: TemplateStringsArray, ...values: ReadonlyArray<unknown>) => Html

/** Renders several elements without a parent. */
export const rendered = (...children: ReadonlyArray<HtmlChildren>): string =>
  renderToString(h(Fragment, null, ...children))
