/** What a hand does beyond a click: the commands of `tests/support/Components.ts`. */
import "vitest/browser"

declare module "vitest/browser" {
  interface BrowserCommands {
    readonly moveTo: (selector: string, at?: { readonly x: number; readonly y: number }) => Promise<void>
    readonly mouseDown: () => Promise<void>
    readonly mouseUp: () => Promise<void>
  }
}
