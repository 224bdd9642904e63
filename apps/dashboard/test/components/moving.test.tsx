/** Windows of the calendar, moved by the pointer and by keys: nothing is saved before it was asked for. */
import { expect, it } from "vitest"
import { commands, page, userEvent } from "vitest/browser"
import type { Entry, Times } from "../../src/features/incidents/calendar.ts"
import { useMoving } from "../../src/features/incidents/useMoving.ts"
import { dayOf, instantOf, wallOf } from "../../src/features/incidents/zone.ts"
import { shown } from "./shown.tsx"

const zone = "Europe/Berlin"
/** The clocks are put forward in the night to the 28th. */
const days = ["2027-03-26", "2027-03-27", "2027-03-28"]
const hourHeight = 24
const at = (wall: string): number => instantOf(wall, zone)

const entry: Entry = {
  key: "swap",
  id: "swap",
  title: "Router swap",
  start: at("2027-03-27T02:00"),
  end: at("2027-03-27T03:00"),
  tone: "maintenance",
  isMovable: true,
  isAhead: false,
  isSeries: false
}

/** Days side by side, with the window on one of them. Answers what was opened and saved. */
const calendar = async ({ isMovable = true } = {}) => {
  const did: Array<string> = []
  const spoken = ({ end, start }: Times) => `${wallOf(start, zone)} ${wallOf(end, zone)}`
  const Host = () => {
    const { handlers, move, timesOf } = useMoving({
      minuteHeight: hourHeight / 60,
      zone,
      onOpen: ({ id }) => did.push(`open ${id}`),
      onSave: (saved) => did.push(spoken(saved))
    })
    const { end, start } = timesOf(entry)
    const minutes = (start - at(`${dayOf(wallOf(start, zone))}T00:00`)) / 60_000
    return (
      <>
        <output>{move === undefined ? "" : spoken(move)}</output>
        <div style={{ display: "grid", gridTemplateColumns: "1fr 1fr 1fr" }}>
          {days.map((day) => (
            <div key={day} id={`day-${day}`} data-day={day} className="relative" style={{ height: 24 * hourHeight }}>
              {dayOf(wallOf(start, zone)) === day && (
                <button
                  type="button"
                  id="window"
                  data-entry={entry.key}
                  className="absolute inset-x-0 touch-none"
                  style={{ top: (minutes / 60) * hourHeight, height: ((end - start) / 3_600_000) * hourHeight }}
                  {...handlers({ ...entry, isMovable }, day)}
                >
                  Router swap
                  <span id="end" data-resize className="absolute inset-x-0 bottom-0 h-2" />
                </button>
              )}
            </div>
          ))}
        </div>
      </>
    )
  }
  await shown(<Host />)
  await expect.element(page.getByRole("button")).toBeInTheDocument()
  return did
}

const moved = page.getByRole("status")

it("goes to another day and hour with the pointer, by the clock of the zone", async () => {
  const did = await calendar()
  await commands.moveTo("#window", { x: 8, y: 8 })
  await commands.mouseDown()
  await commands.moveTo("#day-2027-03-28", { x: 8, y: 3 * hourHeight + 8 })
  await commands.mouseUp()
  await expect.element(moved).toHaveTextContent("2027-03-28T03:00 2027-03-28T04:00")
  expect(did).toEqual([])
})

it("gets another end with the pointer", async () => {
  await calendar()
  await commands.moveTo("#end")
  await commands.mouseDown()
  await commands.moveTo("#day-2027-03-27", { x: 8, y: 4.5 * hourHeight - 4 })
  await commands.mouseUp()
  await expect.element(moved).toHaveTextContent("2027-03-27T02:00 2027-03-27T04:30")
})

it("moves with the arrow keys, keeps the focus on its way, and is saved by Enter", async () => {
  const did = await calendar()
  await userEvent.keyboard("{Tab}{ArrowLeft}{ArrowDown}{Shift>}{ArrowDown}{ArrowDown}{/Shift}")
  await expect.element(moved).toHaveTextContent("2027-03-26T02:15 2027-03-26T03:45")
  await expect.element(page.getByRole("button")).toHaveFocus()
  await userEvent.keyboard("{Enter}")
  expect(did).toEqual(["2027-03-26T02:15 2027-03-26T03:45"])
})

it("is back where it was by Escape, and opened by Enter or a press", async () => {
  const did = await calendar()
  await userEvent.keyboard("{Tab}{ArrowUp}{Escape}")
  await expect.element(moved).toHaveTextContent("")
  await userEvent.keyboard("{Enter}")
  await commands.moveTo("#window")
  await commands.mouseDown()
  await commands.mouseUp()
  await expect.poll(() => did).toEqual(["open swap", "open swap"])
})

it("stays where it is when it cannot be moved", async () => {
  const did = await calendar({ isMovable: false })
  await commands.moveTo("#window", { x: 8, y: 8 })
  await commands.mouseDown()
  await commands.moveTo("#day-2027-03-28", { x: 8, y: 8 })
  await commands.mouseUp()
  await userEvent.keyboard("{Tab}{ArrowDown}")
  await expect.element(moved).toHaveTextContent("")
  expect(did).toEqual(["open swap"])
})
