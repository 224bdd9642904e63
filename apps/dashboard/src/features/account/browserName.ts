/** The name of a browser in words that its owner knows: `Firefox on Linux`. */

/** In this order: browsers name those before whom they resemble. */
const browsers: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bVersion\/[\d.].* Safari\//, "Safari"],
  [/^curl\//, "curl"]
]

const systems: ReadonlyArray<readonly [RegExp, string]> = [
  [/\biPad\b/, "iPad"],
  [/\biPhone\b/, "iPhone"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"]
]

const nameIn = (names: typeof browsers, text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** Its browser and its system, as far as they are known. */
export const browserName = (
  userAgent: string
): { readonly browser: string | undefined; readonly system: string | undefined } => ({
  browser: nameIn(browsers, userAgent),
  system: nameIn(systems, userAgent)
})
