/** Tests of single components of the dashboard, in the installed Chromium: the project of vitest, and what a hand does there. */
import { playwright } from "@vitest/browser-playwright"
import type { TestProjectConfiguration } from "vitest/config"
import type { BrowserCommand } from "vitest/node"
import { chromiumSandbox, program } from "./Chromium.ts"

/** Moves the pointer onto an element, as far from its top left corner as is said, or on its middle. */
const moveTo: BrowserCommand<[selector: string, at?: { readonly x: number; readonly y: number }]> = async (
  { iframe, page },
  selector,
  at
) => {
  const box = (await iframe.locator(selector).boundingBox())!
  await page.mouse.move(box.x + (at?.x ?? box.width / 2), box.y + (at?.y ?? box.height / 2), { steps: 2 })
}

const mouseDown: BrowserCommand<[]> = ({ page }) => page.mouse.down()

const mouseUp: BrowserCommand<[]> = ({ page }) => page.mouse.up()

/** Of the frame that has the component, and of the page around it: a smaller page would scale the frame. */
const viewport = { width: 1280, height: 800 }

/** None where there is no Chromium, and tests need not be complete (`CI` is not set). */
export const components = (root: string, timeouts: object): ReadonlyArray<TestProjectConfiguration> =>
  program === undefined && !process.env["CI"]
    ? []
    : [
        {
          extends: `${root}apps/dashboard/vite.config.ts`,
          root: `${root}apps/dashboard`,
          test: {
            ...timeouts,
            name: "components",
            env: { KANMON_PRESSES: process.env["KANMON_PRESSES"] ?? "60" },
            include: ["test/components/**/*.test.tsx"],
            expect: { poll: { timeout: 240_000 } },
            browser: {
              enabled: true,
              headless: true,
              screenshotFailures: false,
              viewport,
              provider: playwright({
                launchOptions: {
                  ...(program === undefined ? {} : { executablePath: program }),
                  chromiumSandbox,
                  args: ["--disable-gpu", "--disable-dev-shm-usage"]
                },
                contextOptions: { locale: "en-GB", timezoneId: "Europe/Berlin", viewport }
              }),
              instances: [{ browser: "chromium" }],
              commands: { moveTo, mouseDown, mouseUp }
            }
          }
        }
      ]
