/** Fields that choose among options: one of few, one of many, any number of many. */
import { type ReactElement, useState } from "react"
import { expect, it } from "vitest"
import { page, userEvent } from "vitest/browser"
import { type Option, Select } from "../../src/ui/Choice.tsx"
import { ComboBox } from "../../src/ui/ComboBox.tsx"
import { PickList } from "../../src/ui/PickList.tsx"
import { shown } from "./shown.tsx"

/** A field that keeps its value, and tells it. */
const withValue = async <A,>(first: A, field: (value: A, onChange: (value: A) => void) => ReactElement) => {
  const told: Array<A> = []
  const Host = () => {
    const [value, setValue] = useState(first)
    return field(value, (next) => {
      told.push(next)
      setValue(next)
    })
  }
  await shown(<Host />)
  return told
}

const options = (count: number): ReadonlyArray<Option> =>
  Array.from({ length: count }, (_, index) => ({ id: `id-${index}`, label: `Monitor ${index}` }))

it("chooses one of few by mouse and by keyboard", async () => {
  const told = await withValue("id-1", (value, onChange) => (
    <Select label="Region" value={value} onChange={onChange} options={options(3)} />
  ))
  const field = page.getByRole("button", { name: /Region/ })
  await expect.element(field).toHaveTextContent("Monitor 1")
  await userEvent.click(field)
  await userEvent.click(page.getByRole("option", { name: "Monitor 2" }))
  await expect.element(page.getByRole("listbox")).not.toBeInTheDocument()
  await expect.element(field).toHaveTextContent("Monitor 2")
  await userEvent.keyboard("{Enter}")
  await expect.element(page.getByRole("option", { name: "Monitor 2" })).toHaveFocus()
  await userEvent.keyboard("{ArrowUp}{ArrowUp}{Enter}")
  await expect.element(field).toHaveTextContent("Monitor 0")
  expect(told).toEqual(["id-2", "id-0"])
})

it("finds one of thousands by a part of its name, and shows no more than a screen can hold", async () => {
  const told = await withValue<string | null>(null, (value, onChange) => (
    <ComboBox label="Monitor" value={value} onChange={onChange} options={options(3000)} />
  ))
  const field = page.getByRole("combobox", { name: "Monitor" })
  await userEvent.click(field)
  await expect.element(page.getByRole("option").first()).toBeInTheDocument()
  expect(page.getByRole("option").elements().length).toBeLessThanOrEqual(50)
  await userEvent.keyboard("ITOR 2999")
  await expect.poll(() => page.getByRole("option").elements().length).toBe(1)
  await userEvent.keyboard("{ArrowDown}")
  await expect.element(field).toHaveAttribute("aria-activedescendant")
  await userEvent.keyboard("{Enter}")
  await expect.element(field).toHaveValue("Monitor 2999")
  expect(told.at(-1)).toBe("id-2999")
  // Its own name is no search: all the others are there to be chosen.
  await userEvent.keyboard("{ArrowDown}")
  await expect.poll(() => page.getByRole("option").elements().length).toBe(50)
})

it("checks any number of many, with the chosen first, which stay in their place", async () => {
  const told = await withValue<ReadonlyArray<string>>(["id-7"], (value, onChange) => (
    <PickList label="Monitors" value={value} onChange={onChange} options={options(60)} />
  ))
  const names = () =>
    page
      .getByRole("checkbox")
      .elements()
      .map((box) => box.closest("label")?.textContent)
  await expect.poll(() => names()[0]).toBe("Monitor 7")
  await expect.element(page.getByText("10 more: search for them")).toBeInTheDocument()
  await userEvent.click(page.getByText("Monitor 3", { exact: true }))
  await expect.element(page.getByText("2 chosen")).toBeInTheDocument()
  expect(names().slice(0, 5)).toEqual(["Monitor 7", "Monitor 0", "Monitor 1", "Monitor 2", "Monitor 3"])
  await userEvent.fill(page.getByRole("searchbox", { name: "Search" }), "monitor 59")
  await expect.poll(names).toEqual(["Monitor 59"])
  await userEvent.click(page.getByText("Monitor 59", { exact: true }))
  await userEvent.fill(page.getByRole("searchbox", { name: "Search" }), "no such monitor")
  await expect.element(page.getByText("Nothing matches")).toBeInTheDocument()
  expect(told.at(-1)).toEqual(["id-7", "id-3", "id-59"])
})
