/** The type of texts, without the catalogues that a build makes. */
import type de from "./de.ts"

export type Text = keyof typeof de
export type Values = Readonly<Record<string, string | number>>
