/**
 * All text of the dashboard. English texts are the ids; `de.ts` lists every one of them, so a text that is missing there does
 * not compile. Texts with arguments are ICU messages. An English text in two senses has a context in one of them: `Ends|session`.
 */
import type { ReasonCatalogue } from "@kanmon/domain/ReasonText"
import { i18n, type Messages } from "@lingui/core"
import english from "virtual:messages/en"
import type { Text, Values } from "./catalogue.ts"
import { sayReasonsIn } from "./reasons.ts"

export type { Text, Values } from "./catalogue.ts"

export const locales = { en: "English", de: "Deutsch", ja: "日本語" } as const
export type Locale = keyof typeof locales

const key = "kanmon.locale"

const isLocale = (name: string | null | undefined): name is Locale => name != null && name in locales

/** The reader's choice, else the first language of the browser that there is a catalogue for. */
const preferred = (): Locale => {
  const chosen = localStorage.getItem(key)
  if (isLocale(chosen)) return chosen
  return navigator.languages.map((language) => language.split("-")[0]).find(isLocale) ?? "en"
}

/** The text in the reader's language. English texts without arguments have no entry: they are what they say. */
export const t = (text: Text, values?: Values): string => (text in i18n.messages ? i18n._(text, values) : text)

/** The language of texts. */
export const locale = (): Locale => (isLocale(i18n.locale) ? i18n.locale : "en")

/** The locale of dates and numbers: the reader's region where the browser tells it. */
export const formatLocale = (): string =>
  navigator.languages.find((language) => language.split("-")[0] === locale()) ?? locale()

interface Texts {
  readonly messages: Messages
  /** The sentences of reasons; none in English, in which the server writes them. */
  readonly reasons?: ReasonCatalogue
}

/** English is part of the first load. */
const catalogues: Readonly<Record<Locale, () => Promise<Texts>>> = {
  en: async () => ({ messages: english }),
  de: async () => {
    const [messages, reasons] = await Promise.all([import("virtual:messages/de"), import("virtual:reasons/de")])
    return { messages: messages.default, reasons: reasons.default }
  },
  ja: async () => {
    const [messages, reasons] = await Promise.all([import("virtual:messages/ja"), import("virtual:reasons/ja")])
    return { messages: messages.default, reasons: reasons.default }
  }
}

export const load = async (name: Locale = preferred()): Promise<void> => {
  const { messages, reasons } = await catalogues[name]()
  i18n.loadAndActivate({ locale: name, messages })
  sayReasonsIn(reasons)
  document.documentElement.lang = name
}

/** Keeps the choice and shows the page again in it. */
export const choose = (name: Locale): void => {
  localStorage.setItem(key, name)
  location.reload()
}
