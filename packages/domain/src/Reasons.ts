/** The sentences of reasons in the languages of Kanmon. */
import type { Explanation } from "./Explanation.ts"
import type { Locale } from "./Locale.ts"
import { english } from "./ReasonsEnglish.ts"
import { german } from "./ReasonsGerman.ts"
import { japanese } from "./ReasonsJapanese.ts"
import { type ReasonCatalogue, type ReasonTimes, sentence } from "./ReasonText.ts"

export const catalogues: Readonly<Record<Locale, ReasonCatalogue>> = { en: english, de: german, ja: japanese }

/** A reason in a language. What no catalogue has, such as the reasons of other plugins, is shown as it was written. */
export const inWords = (
  { explanation, message }: { readonly message: string; readonly explanation?: Explanation | null | undefined },
  locale: Locale = "en",
  times?: ReasonTimes
): string => (explanation == null ? undefined : sentence(catalogues[locale], explanation, times)) ?? message
