/**
 * crond's main loop and its reading of crontabs, minute by minute: a transcription of `cron.c` and `entry.c` of Debian's cron
 * 3.0pl1-162 to which ours is held. Slow, and simple on purpose.
 */

interface Entry {
  readonly minute: ReadonlySet<number>
  readonly hour: ReadonlySet<number>
  readonly dom: ReadonlySet<number>
  readonly month: ReadonlySet<number>
  readonly dow: ReadonlySet<number>
  readonly isWild: boolean
  readonly isAnd: boolean
}

const names = {
  month: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  dow: ["sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun"]
}

const list = (text: string, low: number, high: number, words: ReadonlyArray<string> = []): ReadonlySet<number> => {
  const set = new Set<number>()
  const number = (word: string) => {
    const index = words.indexOf(word.toLowerCase())
    return index === -1 ? Number.parseInt(word, 10) : index + low
  }
  for (const range of text.split(",")) {
    const [, star, from, to, step] = /^(?:(\*)|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(range)!
    const first = star === undefined ? number(from!) : low
    const last = star === undefined ? (to === undefined ? first : number(to)) : high
    for (let value = first; value <= last; value += Number(step ?? 1)) set.add(value)
  }
  return set
}

const load = (text: string): Entry => {
  const [minute = "", hour = "", dom = "", month = "", dow = ""] = text.split(" ")
  const weekdays = list(dow, 0, 7, names.dow)
  const sunday = weekdays.has(0) || weekdays.has(7) ? [0, 7] : []
  return {
    minute: list(minute, 0, 59),
    hour: list(hour, 0, 23),
    dom: list(dom, 1, 31),
    month: list(month, 1, 12, names.month),
    dow: new Set([...weekdays, ...sunday]),
    isWild: minute.startsWith("*") || hour.startsWith("*"),
    isAnd: dom.startsWith("*") || dow.startsWith("*")
  }
}

const isTime = (entry: Entry, localMinute: number): boolean => {
  if (!entry.minute.has(localMinute % 60)) return false
  const date = new Date(localMinute * 60_000)
  const dom = entry.dom.has(date.getUTCDate())
  const dow = entry.dow.has(date.getUTCDay())
  return (
    entry.hour.has(date.getUTCHours()) &&
    entry.month.has(date.getUTCMonth() + 1) &&
    (entry.isAnd ? dom && dow : dom || dow)
  )
}

/** Minutes by which local time is ahead of UTC, for each minute of `[from, to)`, both in minutes; asked every so many minutes. */
export const offsets = (timezone: string, from: number, to: number, every = 1): ReadonlyArray<number> => {
  const format = new Intl.DateTimeFormat("en", { timeZone: timezone, timeZoneName: "longOffset" })
  const at = (minute: number): number => {
    const text = format.formatToParts(minute * 60_000).find(({ type }) => type === "timeZoneName")!.value
    const [, sign, hours = "0", minutes = "0"] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(text)!
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  }
  const found: Array<number> = []
  for (let minute = from; minute < to; minute++)
    found.push(minute % every === 0 ? at(minute) : (found.at(-1) ?? at(minute)))
  return found
}

/** The minutes in which crond starts the job of an expression, having been started before the first one. */
export const runs = (text: string, clocks: ReadonlyArray<number>, from: number): ReadonlyArray<number> => {
  const entry = load(text)
  const found: Array<number> = []
  let virtual = from + clocks[0]!
  for (let index = 1; index < clocks.length; index++) {
    const running = from + index + clocks[index]!
    const find = (minute: number, wild: boolean, fixed: boolean) => {
      if ((entry.isWild ? wild : fixed) && isTime(entry, minute) && found.at(-1) !== from + index)
        found.push(from + index)
    }
    const difference = running - virtual
    if (difference > 0 && difference <= 5) {
      while (virtual < running) find(++virtual, true, true)
    } else if (difference > 5 && difference <= 180) {
      find(running, true, false)
      while (virtual < running) find(++virtual, false, true)
    } else if (difference <= 0 && difference > -180) {
      find(running, true, false)
    } else {
      virtual = running
      find(running, true, true)
    }
  }
  return found
}
