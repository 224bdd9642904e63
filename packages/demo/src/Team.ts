/** The people of the shop, its on-call schedule, and the order in which its escalation policy pages them. */
import type { UserId } from "@kanmon/domain/Ids"
import { dayMillis, type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { weekdays } from "@kanmon/domain/WeeklyWindows"

/** The person who opens the demo, and three colleagues. */
export type TeamMember = "you" | "ada" | "ben" | "mei"

export const colleagues = [
  { key: "ada", name: "Ada Lindqvist", email: "ada@example.org" },
  { key: "ben", name: "Ben Okafor", email: "ben@example.org" },
  { key: "mei", name: "Mei Tanaka", email: "mei@example.org" }
] as const satisfies ReadonlyArray<{ readonly key: TeamMember; readonly name: string; readonly email: string }>

export type UserIds = Readonly<Record<TeamMember, UserId>>

/** The path of the local target that takes the place of a push service; it sends nothing. */
export const phonesPath = "/phones/"

/** The configuration of the contact method of a person. */
export const phoneOf = (member: TeamMember, httpPort: number) => ({
  serverUrl: `http://127.0.0.1:${httpPort}${phonesPath}`,
  topic: `demo-shop-${member}`
})

/** The Monday of the week before, so that the first turn of the weeks is over and the second one runs. */
const firstMonday = (now: EpochMillis): string => {
  const weekday = (new Date(now).getUTCDay() + 6) % 7
  return toIso(now - (weekday + 7) * dayMillis).slice(0, 10)
}

/** The request body of `POST /schedules`: a turn of a week by day, and of a night over it. */
export const scheduleBody = ({ ada, ben, mei, you }: UserIds, now: EpochMillis) => ({
  name: "Shop",
  key: "shop",
  timezone: "Europe/Berlin",
  layers: [
    {
      name: "Weeks",
      participants: [{ userId: ben }, { userId: you }, { userId: ada }],
      rotation: { every: 1, unit: "week" },
      handoff: { time: "09:00", weekday: "mon" },
      startsOn: firstMonday(now)
    },
    {
      name: "Nights",
      participants: [{ userId: mei }, { userId: ben }],
      rotation: { every: 1, unit: "day" },
      handoff: { time: "20:00" },
      startsOn: firstMonday(now),
      restrictions: [{ weekdays, from: "22:00", to: "06:00" }]
    }
  ]
})

/** The request body of `POST /escalation-policies`. */
export const policyBody = (scheduleId: string, { ada }: UserIds) => ({
  name: "Shop",
  key: "shop",
  steps: [
    { afterMinutes: 0, notify: [{ scheduleId }] },
    { afterMinutes: 10, notify: [{ scheduleId, position: "next" }] },
    { afterMinutes: 20, notify: [{ userId: ada }] }
  ],
  repeat: 1,
  repeatAfterMinutes: 30
})
