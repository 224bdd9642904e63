/** Lists whose records can be deleted: no record is deleted before the reader has confirmed it. */
import { useState } from "react"
import { expect, it } from "vitest"
import { page, userEvent } from "vitest/browser"
import { Button } from "../../src/ui/Button.tsx"
import { DeletableList } from "../../src/ui/DeletableList.tsx"
import { shown } from "./shown.tsx"

/** A list of two channels that refuses to delete one of them. Answers which ones it was asked to delete. */
const list = async () => {
  const removed: Array<string> = []
  const Host = () => {
    const [refusal, setRefusal] = useState<string | undefined>(undefined)
    return (
      <DeletableList
        label="Channels"
        items={[
          { id: "a", name: "Slack" },
          { id: "b", name: "Mail" }
        ]}
        rowClass="flex"
        question="Delete this channel?"
        consequence={(doomed) => `Nothing is sent to ${doomed?.name ?? ""} any more.`}
        remove={(id) => {
          removed.push(id)
          if (id === "b") setRefusal("A rule needs it")
        }}
        refusal={refusal}
        dismiss={() => setRefusal(undefined)}
      >
        {({ name }, onDelete) => <Button onPress={onDelete}>{`Delete ${name}`}</Button>}
      </DeletableList>
    )
  }
  await shown(<Host />)
  return removed
}

const dialog = page.getByRole("alertdialog", { name: "Delete this channel?" })

it("deletes the record of the row once it is confirmed, and none when it is not", async () => {
  const removed = await list()
  await userEvent.click(page.getByRole("button", { name: "Delete Slack" }))
  await expect.element(dialog.getByText("Nothing is sent to Slack any more.", { exact: true })).toBeInTheDocument()
  await userEvent.click(dialog.getByRole("button", { name: "Cancel" }))
  await expect.element(dialog).not.toBeInTheDocument()
  expect(removed).toEqual([])
  await userEvent.click(page.getByRole("button", { name: "Delete Slack" }))
  await userEvent.click(dialog.getByRole("button", { name: "Delete", exact: true }))
  await expect.element(dialog).not.toBeInTheDocument()
  expect(removed).toEqual(["a"])
})

it("says why a record was not deleted, until that is closed", async () => {
  const removed = await list()
  await userEvent.click(page.getByRole("button", { name: "Delete Mail" }))
  await userEvent.click(dialog.getByRole("button", { name: "Delete", exact: true }))
  await expect.element(page.getByRole("alert").getByText("A rule needs it", { exact: true })).toBeInTheDocument()
  await userEvent.click(page.getByRole("button", { name: "Close" }))
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument()
  expect(removed).toEqual(["b"])
})
