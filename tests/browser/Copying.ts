/** Presses what copies, and reads the clipboard. */
import { assert } from "@effect/vitest"
import type { BrowserContext, Page } from "playwright-core"

/** What is on the clipboard, as another page gets it when it is pasted. */
export const pasted = async (context: BrowserContext): Promise<string> => {
  const page = await context.newPage()
  await page.setContent("<textarea></textarea>")
  await page.locator("textarea").press("Control+V")
  const text = await page.locator("textarea").inputValue()
  await page.close()
  return text
}

/** Presses every button that copies; answers what each has copied. */
export const copyAll = async (page: Page): Promise<ReadonlyArray<string>> => {
  const copied: Array<string> = []
  const buttons = page.getByRole("button", { name: /^Cop(?:y|ied)(?! of)/ })
  for (const [index, button] of (await buttons.all()).entries()) {
    await button.click()
    await buttons
      .nth(index)
      .and(page.getByRole("button", { name: /^Copied/ }))
      .waitFor()
    copied.push(await pasted(page.context()))
  }
  assert.strictEqual(await page.getByRole("dialog", { name: "Copy this text" }).count(), 0)
  return copied
}
