/** Bodies of on-call schedules. */

/** A layer of these people, whose turns are weeks from 2 March 2026 on. */
export const layerOf = (name: string, userIds: ReadonlyArray<string>, fields: object = {}) => ({
  name,
  participants: userIds.map((userId) => ({ userId })),
  rotation: { every: 1, unit: "week" },
  handoff: { time: "09:00" },
  startsOn: "2026-03-02",
  ...fields
})
