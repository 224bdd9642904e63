/** The fields that a form makes of a plugin's schema: what each kind shows, keeps and says. */
import { useState } from "react"
import { expect, it } from "vitest"
import { page, userEvent } from "vitest/browser"
import { fieldsOf, valueOfField } from "../../src/forms/schema.ts"
import { SchemaField } from "../../src/forms/SchemaField.tsx"
import { shown } from "./shown.tsx"

const schema = {
  type: "object",
  required: ["host"],
  properties: {
    host: { type: "string", description: "Name or address" },
    timeout: { type: "integer", description: "Seconds to wait. Default: 30", default: 30, minimum: 1, maximum: 300 },
    warning: { type: "integer", description: "Days before the end", minimum: 0 },
    follow: { type: "boolean", default: true },
    version: { type: "string", enum: ["1.1", "2"], default: "2" },
    headers: { type: "object", additionalProperties: { type: "string" } },
    records: { type: "array", items: { type: "string" } }
  }
}
const fields = fieldsOf(schema)

/** A form with all the fields. Answers what it would send. */
const form = async (errors: Readonly<Record<string, string>> = {}) => {
  const latest = { values: {} as Readonly<Record<string, string>> }
  const Form = () => {
    const [draft, setDraft] = useState(latest.values)
    latest.values = draft
    return (
      <form className="flex flex-col gap-4">
        {fields.map((field) => (
          <SchemaField
            key={field.name}
            field={field}
            value={draft[field.name] ?? ""}
            error={errors[field.name]}
            onChange={(value) => setDraft((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
      </form>
    )
  }
  await shown(<Form />)
  return () =>
    Object.fromEntries(
      fields.flatMap((field) => {
        const value = valueOfField(field, latest.values[field.name] ?? "")
        return value === undefined ? [] : [[field.name, value]]
      })
    )
}

it("show what holds by default, and send nothing that was not changed", async () => {
  const sent = await form()
  await expect.element(page.getByRole("textbox", { name: "Timeout" })).toHaveValue("30 seconds")
  await expect.element(page.getByRole("switch", { name: "Follow" })).toBeChecked()
  await expect.element(page.getByRole("button", { name: /Version/ })).toHaveTextContent("2")
  expect(sent()).toEqual({})
})

it("read each kind of value as it is typed", async () => {
  const sent = await form()
  await userEvent.fill(page.getByRole("textbox", { name: "Host" }), "db.example")
  await userEvent.fill(page.getByRole("textbox", { name: "Timeout" }), "1 min 30 s")
  await userEvent.fill(page.getByRole("textbox", { name: /^Warning/ }), "14")
  await userEvent.click(page.getByText("Follow"))
  await userEvent.fill(page.getByRole("textbox", { name: /^Headers/ }), "Accept: text/plain\nX-Api-KEY: a:b")
  await userEvent.fill(page.getByRole("textbox", { name: /^Records/ }), "10.0.0.1, 10.0.0.2")
  await userEvent.click(page.getByRole("button", { name: /Version/ }))
  await userEvent.click(page.getByRole("option", { name: "1.1" }))
  await expect.poll(sent).toEqual({
    host: "db.example",
    timeout: 90,
    warning: 14,
    follow: false,
    version: "1.1",
    headers: { Accept: "text/plain", "X-Api-KEY": "a:b" },
    records: ["10.0.0.1", "10.0.0.2"]
  })
})

it("rewrite a duration in words when it is left, and say what cannot be read", async () => {
  await form()
  const timeout = page.getByRole("textbox", { name: "Timeout" })
  await userEvent.click(timeout)
  await userEvent.fill(timeout, "90")
  await expect.element(timeout).toHaveValue("90")
  await userEvent.keyboard("{Tab}")
  await expect.element(timeout).toHaveValue("1 minute 30 seconds")
  await userEvent.fill(timeout, "soon")
  await expect.element(timeout).toBeValid()
  await userEvent.keyboard("{Tab}")
  await expect.element(timeout).toBeInvalid()
  await expect.element(timeout).toHaveValue("soon")
})

it("have their error as their description", async () => {
  await form({ host: "There is no such host", timeout: "At most 300 seconds" })
  await expect.element(page.getByRole("textbox", { name: "Host" })).toBeInvalid()
  await expect.element(page.getByRole("textbox", { name: "Host" })).toHaveAccessibleDescription(/There is no such host/)
  await expect
    .element(page.getByRole("textbox", { name: "Timeout" }))
    .toHaveAccessibleDescription(/At most 300 seconds/)
})
