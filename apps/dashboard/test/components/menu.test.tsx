/** The menu of a button: a press opens it, whatever the page does between down and up, and its choice acts once. */
import { useState } from "react"
import { expect, it } from "vitest"
import { commands, page, userEvent } from "vitest/browser"
import { Button } from "../../src/ui/Button.tsx"
import { Menu } from "../../src/ui/Menu.tsx"
import { shown } from "./shown.tsx"

/** Presses, each with a change of the page between down and up; `KANMON_PRESSES` asks for others. */
const presses = Number(import.meta.env["KANMON_PRESSES"])

interface Changes {
  readonly rowsAbove: number
  readonly version: number
  readonly name: string
}

/** A page that changes when it is told to. */
const makePage = () => {
  const chosen: Array<string> = []
  const shownPage = { change: (_changes: Partial<Changes>): void => undefined }
  const Page = () => {
    const [{ name, rowsAbove, version }, set] = useState<Changes>({ rowsAbove: 0, version: 0, name: "Actions" })
    shownPage.change = (changes) => set((before) => ({ ...before, ...changes }))
    return (
      <>
        {Array.from({ length: rowsAbove }, (_, row) => (
          <p key={row}>Row {row}</p>
        ))}
        <Menu
          label="Actions"
          button={
            <Button id="button" data-version={version}>
              {name}
            </Button>
          }
          groups={[
            [
              { id: "rename", label: "Rename", onAction: () => chosen.push("rename") },
              { id: "locked", label: "Locked", disabled: true, onAction: () => chosen.push("locked") }
            ],
            [{ id: "delete", label: "Delete", danger: true, onAction: () => chosen.push("delete") }]
          ]}
        />
      </>
    )
  }
  return { Page, chosen, change: (changes: Partial<Changes>) => shownPage.change(changes) }
}

const menu = page.getByRole("menu")
const button = page.getByRole("button")

it("opens at every press, also when its button moves, is renamed or renders again before the release", async () => {
  const { Page, change } = makePage()
  await shown(<Page />)
  const changes: ReadonlyArray<Partial<Changes>> = [
    {},
    { rowsAbove: 12 },
    { version: 1 },
    { name: "More actions, for longer" },
    { rowsAbove: 3, version: 2, name: "Actions" },
    { rowsAbove: 0 }
  ]
  for (let press = 0; press < presses; press++) {
    await commands.moveTo("#button")
    await commands.mouseDown()
    change({ ...changes[press % changes.length], version: press })
    await commands.mouseUp()
    await expect.element(menu, { message: `press ${press}` }).toBeInTheDocument()
    await userEvent.keyboard("{Escape}")
    await expect.element(menu).not.toBeInTheDocument()
  }
})

it("acts once, after it has closed, and gives the focus back to its button", async () => {
  const { Page, chosen } = makePage()
  await shown(<Page />)
  await userEvent.click(button)
  await userEvent.click(page.getByRole("menuitem", { name: "Delete" }))
  await expect.element(menu).not.toBeInTheDocument()
  expect(chosen).toEqual(["delete"])
  await expect.element(button).toHaveFocus()
})

it("is opened, walked and left with the keyboard, past what cannot be chosen", async () => {
  const { Page, chosen } = makePage()
  await shown(<Page />)
  await userEvent.keyboard("{Tab}")
  await expect.element(button).toHaveFocus()
  await userEvent.keyboard("{ArrowDown}")
  await expect.element(page.getByRole("menuitem", { name: "Rename" })).toHaveFocus()
  await userEvent.keyboard("{ArrowDown}")
  await expect.element(page.getByRole("menuitem", { name: "Delete" })).toHaveFocus()
  await userEvent.keyboard("{ArrowDown}{Enter}")
  await expect.element(menu).not.toBeInTheDocument()
  expect(chosen).toEqual(["rename"])
  await userEvent.keyboard("{Enter}")
  await expect.element(menu).toBeInTheDocument()
  await userEvent.keyboard("{Escape}")
  await expect.element(menu).not.toBeInTheDocument()
  await expect.element(button).toHaveFocus()
  expect(chosen).toEqual(["rename"])
})

it("says to a screen reader that it is a menu, and whether it is open", async () => {
  const { Page } = makePage()
  await shown(<Page />)
  await expect.element(button).toHaveAttribute("aria-haspopup", "menu")
  await expect.element(button).toHaveAttribute("aria-expanded", "false")
  await userEvent.click(button)
  await expect.element(page.getByRole("menu", { name: "Actions" })).toBeInTheDocument()
  expect(document.querySelector("#button")?.getAttribute("aria-expanded")).toBe("true")
})
