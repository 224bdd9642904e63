/** Bodies of on-call duty: of schedules and contact methods. */

/** A layer of these people, whose turns are weeks from 2 March 2026 on. */
export const layerOf = (name: string, userIds: ReadonlyArray<string>, fields: object = {}) => ({
  name,
  participants: userIds.map((userId) => ({ userId })),
  rotation: { every: 1, unit: "week" },
  handoff: { time: "09:00" },
  startsOn: "2026-03-02",
  ...fields
})

/** A contact method in a chat. */
export const telegram = {
  name: "Chat",
  type: "telegram",
  config: { botToken: "123456:ABCdefGhIJKlmNoPQRsTUVwxyZ012345678", chatId: "123456789" }
}
