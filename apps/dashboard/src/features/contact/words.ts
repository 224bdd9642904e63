/** Contact methods and notification rules in words. */
import { nameOf } from "../../locales/channelNames.ts"
import { listWords } from "../../locales/lists.ts"
import { t } from "../../locales/text.ts"
import { duration } from "../../locales/time.ts"
import { strong } from "../../ui/Emphasis.tsx"
import { destinationOf, groupsOf, notReady } from "./lists.ts"
import type { Entry, Method } from "./queries.ts"

/** A method as its person calls it. */
export const methodName = ({ isAccount, name }: Method): string => (isAccount ? t("Email of the account") : name)

/** The type and where it leads. */
export const detailOf = (method: Method): ReadonlyArray<string> => {
  const destination = destinationOf(method)
  const type = nameOf(method.type)
  return [
    ...(method.isAccount || type === method.name ? [] : [type]),
    ...(destination === undefined ? [] : [destination])
  ]
}

const nameIn = (methods: ReadonlyArray<Method>, id: string): string => {
  const method = methods.find((each) => each.id === id)
  return method === undefined ? t("a deleted method") : methodName(method)
}

/** "You are notified at once by My phone and after 5 minutes by Call." */
export const sentenceOf = (entries: ReadonlyArray<Entry>, methods: ReadonlyArray<Method>): string =>
  entries.length === 0
    ? t("Nothing is sent to you.")
    : t("You are notified {ways}.", {
        ways: listWords(
          groupsOf(entries).map(([minutes, ids]) => {
            const names = strong(listWords(ids.map((id) => nameIn(methods, id))))
            return minutes === 0
              ? t("at once by {methods}", { methods: names })
              : t("after {duration} by {methods}", { duration: duration(minutes * 60), methods: names })
          })
        )
      })

/** Names of methods in a list to which nothing is sent yet, or no longer. */
export const passedOver = (entries: ReadonlyArray<Entry>, methods: ReadonlyArray<Method>): ReadonlyArray<string> =>
  notReady(entries, methods).map(methodName)
