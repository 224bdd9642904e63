/**
 * The texts of notices in the language of their reader. The English text is the key, as in the catalogues of the dashboard: a language
 * without one of them does not compile. Names and what a target answered stand in the text as they are.
 */
import type { Locale } from "@kanmon/domain/Locale"
import { de, type NoticeWord } from "./NoticeGerman.ts"
import { ja } from "./NoticeJapanese.ts"

export type { NoticeWord } from "./NoticeGerman.ts"

type Values = Readonly<Record<string, string | number>>

const languages: Readonly<Record<Exclude<Locale, "en">, Readonly<Record<NoticeWord, string>>>> = { de, ja }

/** All texts, in English. */
export const noticeWords = Object.keys(de) as ReadonlyArray<NoticeWord>

const textIn = (locale: Locale, text: NoticeWord): string => (locale === "en" ? text : languages[locale][text])

const filled = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

/** A text with its values in a language. */
export const say = (locale: Locale | undefined, text: NoticeWord, values: Values = {}): string =>
  filled(textIn(locale ?? "en", text), values)

/** Sentences one after another. */
export const sentences = (locale: Locale | undefined, parts: ReadonlyArray<string>): string =>
  parts.filter((part) => part !== "").join(locale === "ja" ? "" : " ")

/** A sentence with a full stop, unless it ends with one. */
export const sentence = (locale: Locale | undefined, text: string): string =>
  text === "" || /[.!?…。！？]$/.test(text) ? text : `${text}${locale === "ja" ? "。" : "."}`
