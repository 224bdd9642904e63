/** Contact methods and notification rules in words. */
import { nameOf } from "../../locales/channelNames.ts"
import { listWords } from "../../locales/lists.ts"
import { t } from "../../locales/text.ts"
import { duration } from "../../locales/time.ts"
import { strong } from "../../ui/Emphasis.tsx"
import { destinationOf, groupsOf, notReady } from "./lists.ts"
import type { Entry, Method } from "./queries.ts"
import type { PageTest } from "./types.ts"

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

/** A method by its id; it may be deleted meanwhile. */
export const methodNameOf = (methods: ReadonlyArray<Method>, id: string): string => {
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
            const names = strong(listWords(ids.map((id) => methodNameOf(methods, id))))
            return minutes === 0
              ? t("at once by {methods}", { methods: names })
              : t("after {duration} by {methods}", { duration: duration(minutes * 60), methods: names })
          })
        )
      })

/** Names of methods in a list to which nothing is sent yet, or no longer. */
export const passedOver = (entries: ReadonlyArray<Entry>, methods: ReadonlyArray<Method>): ReadonlyArray<string> =>
  notReady(entries, methods).map(methodName)

/** A page of a test in a few words. */
export const testPageWords = ({ isAnswered, status }: PageTest["pages"][number]): string => {
  if (isAnswered) return t("acknowledged with its link")
  switch (status) {
    case "waiting":
      return t("is due")
    case "sending":
      return t("is being sent")
    case "held":
      return t("waits for the end of your quiet hours")
    case "delivered":
      return t("delivered|page")
    case "failed":
      return t("not delivered|page")
    case "dropped":
      return t("not needed any more")
  }
}

/** How a test stands, in a sentence. */
export const testStateWords = ({ pages, state }: PageTest): string => {
  switch (state) {
    case "running":
      return t("The test runs. Acknowledge it where it reaches you.")
    case "acknowledged":
      return pages.some(({ isAnswered }) => isAnswered)
        ? t("Acknowledged with the link of a page: pages reach you, and your answer arrives.")
        : t("Acknowledged here.")
    case "unanswered":
      return t("Pages were sent, and you did not acknowledge in time.")
    case "unreached":
      return t("No page reached you.")
  }
}
