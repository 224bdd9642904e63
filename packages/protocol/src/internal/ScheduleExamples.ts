/** Examples of on-call schedules. */
import type { Schema } from "effect"
import type * as ScheduleBody from "../ScheduleBody.ts"
import * as Examples from "./Examples.ts"
import { member } from "./OrganizationExamples.ts"

const createdAt = Examples.project.createdAt
const other = "usr_01m7xr5kd3n8v2y6bc9fg1hj4t"

const layer = {
  name: "Primary",
  participants: [{ userId: member.userId }, { userId: other }],
  rotation: { every: 1, unit: "week" },
  handoff: { time: "09:00", weekday: "mon" },
  startsOn: "2026-11-23"
} as const satisfies Schema.Json

export const request = {
  name: "Shop",
  timezone: "Europe/Berlin",
  layers: [layer]
} as const satisfies Schema.Json

export const change = { name: "Shop, nights" }

export const schedule: typeof ScheduleBody.Schedule.Encoded = {
  id: "sch_01m7xv2c8e4g7j1mp3s6u9xa5d",
  organizationId: Examples.project.organizationId,
  key: null,
  name: "Shop",
  timezone: "Europe/Berlin",
  coverage: null,
  layers: [layer],
  warnings: [],
  createdAt,
  updatedAt: createdAt
}

export const overrideRequest = {
  from: "2026-12-24T00:00:00.000Z",
  to: "2026-12-27T00:00:00.000Z",
  userId: other,
  replaces: member.userId
}

export const override: typeof ScheduleBody.OverrideRecord.Encoded = {
  id: "ovr_01m7xv7f1h5k8n2q4t6w9y3zbc",
  ...overrideRequest,
  createdBy: member.userId,
  createdAt
}

const shift = {
  from: "2026-11-23T08:00:00.000Z",
  to: "2026-11-30T08:00:00.000Z",
  userId: member.userId,
  layer: layer.name,
  overrideId: null
}

export const shifts = {
  shifts: [shift],
  gaps: [],
  layers: [{ name: layer.name, shifts: [shift] }]
}

export const onCall: typeof ScheduleBody.OnCallNow.Encoded = {
  scheduleId: schedule.id,
  scheduleName: schedule.name,
  userId: member.userId,
  until: shift.to,
  next: { userId: other, from: shift.to }
}

export const ownShifts = [
  {
    organizationId: "org_01m7xr0ab1s6d8g3jp9yf5c2te",
    scheduleId: "sch_01m7xv2c8e4g7j1mp3s6u9xa5d",
    scheduleName: "Shop",
    from: "2026-11-23T08:00:00.000Z",
    to: "2026-11-30T08:00:00.000Z"
  }
]

export const away = [{ from: "2026-12-24T00:00:00.000Z", to: "2027-01-02T00:00:00.000Z" }]

export const calendar = { createdAt, lastUsedAt: "2026-11-20T09:00:00.000Z" }

export const calendarAddress = {
  url: "https://kanmon.example/api/v1/calendars/q8VbN3kTz0LxYw5RcJ7mHs2PdGfA9eUiO4tXnKvB6Sy.ics",
  createdAt,
  lastUsedAt: null
}
