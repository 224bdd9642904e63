/** The list of monitors: which rows exist, and how the focus, the selection and the groups follow the keyboard. */
import { useRef, useState } from "react"
import { beforeEach, expect, it } from "vitest"
import { page, userEvent } from "vitest/browser"
import { type Density, Grid } from "../../src/features/monitors/Grid.tsx"
import type { ListSearch } from "../../src/features/monitors/listSearch.ts"
import { useAllPicked, usePicked } from "../../src/features/monitors/selection.ts"
import { flat, inGroups } from "../../src/features/monitors/tree.ts"
import { MonitorStore, type MonitorSummary } from "../../src/live/MonitorStore.ts"
import { shown } from "./shown.tsx"

const monitor = (index: number): MonitorSummary => ({
  id: `m${index}`,
  name: `Monitor ${index}`,
  type: "http",
  target: `https://host${index}.example`,
  group: index % 2 === 0 ? "Shop" : "Mail/Relay",
  tags: [],
  regions: [],
  status: "up",
  since: 1_700_000_000,
  stale: false,
  failure: null,
  uptime: 100,
  responseTime: 12,
  results: "uuuu"
})

const none: ReadonlySet<string> = new Set()

/** The grid of so many monitors. Answers what it did, and the store that it follows. */
const grid = async (
  count: number,
  { density = "compact", grouped = false }: { readonly density?: Density; readonly grouped?: boolean } = {}
) => {
  const store = new MonitorStore()
  const monitors = Array.from({ length: count }, (_, index) => monitor(index))
  store.replace(monitors, count)
  const did = { picked: none, sort: undefined as ListSearch["sort"], active: (): string | undefined => undefined }
  const ids = monitors.map(({ id }) => id)
  const Host = () => {
    const picked = usePicked(ids, useAllPicked())
    const [closed, setClosed] = useState(none)
    const [sort, setSort] = useState<ListSearch["sort"]>(undefined)
    const activeRef = useRef<string | undefined>(undefined)
    did.picked = picked.ids
    did.sort = sort
    did.active = () => activeRef.current
    return (
      <Grid
        store={store}
        items={grouped ? inGroups(monitors, closed, "Others") : flat(monitors)}
        gone={none}
        monitorIds={ids}
        sort={sort}
        onSort={setSort}
        onToggle={(key) =>
          setClosed((before) => {
            const after = new Set(before)
            if (!after.delete(key)) after.add(key)
            return after
          })
        }
        picked={picked}
        isPicking={false}
        density={density}
        activeRef={activeRef}
      />
    )
  }
  const router = await shown(<Host />)
  return { did, store, router }
}

const rows = () => page.getByRole("row").elements()
const focused = () => (document.activeElement as HTMLElement).dataset["key"]

beforeEach(() => window.scrollTo(0, 0))

it("has only rows that are seen, one of them in the tab order, and says how many there are", async () => {
  await grid(5000)
  await expect.element(page.getByRole("grid", { name: "Monitors" })).toHaveAttribute("aria-rowcount", "5001")
  await expect.poll(() => rows().length).toBeGreaterThan(5)
  expect(rows().length).toBeLessThan(100)
  expect(rows().filter(({ role, tabIndex }) => role !== null && tabIndex === 0).length).toBe(1)
})

it("moves the focus to rows that were not there before", async () => {
  const { did } = await grid(5000)
  await userEvent.keyboard("j")
  await expect.poll(focused).toBe("m0")
  await userEvent.keyboard("{ArrowDown}jk{ArrowDown}")
  await expect.poll(focused).toBe("m2")
  await userEvent.keyboard("{End}")
  await expect.poll(focused).toBe("m4999")
  expect(did.active()).toBe("m4999")
  await userEvent.keyboard("{ArrowDown}")
  expect(focused()).toBe("m4999")
  await userEvent.keyboard("{Home}")
  await expect.poll(focused).toBe("m0")
})

it("selects rows one by one, up to another one, and all", async () => {
  const { did } = await grid(20)
  await userEvent.keyboard("j ")
  await expect.poll(() => [...did.picked]).toEqual(["m0"])
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}")
  await expect.poll(focused).toBe("m3")
  await userEvent.keyboard("{Shift>} {/Shift}")
  await expect.poll(() => [...did.picked]).toEqual(["m0", "m1", "m2", "m3"])
  await expect.element(page.getByRole("row", { selected: true }).first()).toBeInTheDocument()
  const all = page.getByRole("checkbox", { name: "Select all" })
  await expect.element(all).toBePartiallyChecked()
  await userEvent.click(all)
  await expect.poll(() => did.picked.size).toBe(20)
  await userEvent.click(all)
  await expect.poll(() => did.picked.size).toBe(0)
})

it("opens the monitor that has the focus", async () => {
  const { router } = await grid(5)
  await userEvent.keyboard("jj")
  await expect.poll(focused).toBe("m1")
  await userEvent.keyboard("{Enter}")
  await expect.poll(() => router.state.location.pathname).toBe("/monitors/m1")
})

it("sorts by a column upwards, downwards, and no more", async () => {
  const { did } = await grid(5)
  const name = page.getByRole("columnheader", { name: /^Name/ })
  for (const [sort, direction] of [
    ["name", "ascending"],
    ["-name", "descending"],
    [undefined, "none"]
  ] as const) {
    await userEvent.click(name.getByRole("button"))
    await expect.poll(() => did.sort).toBe(sort)
    await expect.element(name).toHaveAttribute("aria-sort", direction)
  }
})

it("opens and closes groups with the arrows, on the level that they are at", async () => {
  await grid(6, { grouped: true })
  await expect.element(page.getByRole("treegrid")).toBeInTheDocument()
  const keys = () =>
    rows()
      .map((row) => (row as HTMLElement).dataset["key"])
      .filter((key) => key !== undefined)
  const open = ["group:Mail", "group:Mail/Relay", "m1", "m3", "m5", "group:Shop", "m0", "m2", "m4"]
  await expect.poll(keys).toEqual(open)
  await userEvent.keyboard("jj")
  await expect.poll(focused).toBe("group:Mail/Relay")
  expect(document.activeElement?.getAttribute("aria-level")).toBe("2")
  await userEvent.keyboard("{ArrowLeft}")
  await expect.poll(keys).toEqual(["group:Mail", "group:Mail/Relay", "group:Shop", "m0", "m2", "m4"])
  expect(document.activeElement?.getAttribute("aria-expanded")).toBe("false")
  await userEvent.keyboard("{ArrowRight}")
  await expect.poll(keys).toEqual(open)
})

it("renders a row again when its monitor changes, and keeps the focus where it is", async () => {
  const { store } = await grid(5)
  await userEvent.keyboard("jj")
  await expect.poll(focused).toBe("m1")
  store.patch("m1", { status: "down", failure: "Connection refused" })
  await expect.element(page.getByText("Connection refused")).toBeInTheDocument()
  expect(focused()).toBe("m1")
})
