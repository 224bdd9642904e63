/** The regions' vote as a separate sentence. */
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"
import { say } from "@kanmon/core/NoticeWords"

/** `Down in 2 of 3 regions (eu-west, us-east)`, or `Region: eu-west`. */
export const seenFrom = (notice: Notice): string => {
  const vote = NoticeText.vote(notice)
  if (vote === "") return ""
  return vote.includes(" ")
    ? `${vote[0]!.toUpperCase()}${vote.slice(1)}`
    : say(notice.language, "Region: {region}", { region: vote })
}
