/** The colours by role, held to figures: contrast on each ground, states apart from what can be pressed, and series that colour-blind readers tell apart. */
import { assert, describe, it } from "@effect/vitest"
import { type Scheme, schemes } from "@kanmon/status-page/Tokens"

type Colour = readonly [number, number, number]

/** Linear light of an sRGB colour such as `#3a3fc4` or `#fff`. */
const linear = (text: string): Colour => {
  const digits = text.length === 4 ? text.slice(1).replaceAll(/./g, "$&$&") : text.slice(1)
  const channel = (at: number) => {
    const value = Number.parseInt(digits.slice(at, at + 2), 16) / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(0), channel(2), channel(4)]
}

const luminance = ([red, green, blue]: Colour): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue

/** WCAG 2.2, 1.4.3. */
const contrast = (one: string, other: string): number => {
  const [low, high] = [luminance(linear(one)), luminance(linear(other))].sort((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

const oklab = ([red, green, blue]: Colour): Colour => {
  const l = Math.cbrt(0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue)
  const m = Math.cbrt(0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue)
  const s = Math.cbrt(0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue)
  return [
    0.210_454_255_3 * l + 0.793_617_785 * m - 0.004_072_046_8 * s,
    1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s,
    0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s
  ]
}

const distance = (one: Colour, other: Colour): number => {
  const [a, b] = [oklab(one), oklab(other)]
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

type Row = readonly [number, number, number]

/** Machado, Oliveira and Fernandes 2009, severity 1, on linear light. */
const readers: Readonly<Record<string, readonly [Row, Row, Row]>> = {
  trichromat: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1]
  ],
  protanope: [
    [0.152_286, 1.052_583, -0.204_868],
    [0.114_503, 0.786_281, 0.099_216],
    [-0.003_882, -0.048_116, 1.051_998]
  ],
  deuteranope: [
    [0.367_322, 0.860_646, -0.227_968],
    [0.280_085, 0.672_501, 0.047_413],
    [-0.011_82, 0.042_94, 0.968_881]
  ],
  tritanope: [
    [1.255_528, -0.076_749, -0.178_779],
    [-0.078_411, 0.930_809, 0.147_602],
    [0.004_733, 0.691_367, 0.3039]
  ]
}

const seenBy = (matrix: readonly [Row, Row, Row], [red, green, blue]: Colour): Colour => {
  const part = ([r, g, b]: Row) => Math.min(1, Math.max(0, r * red + g * green + b * blue))
  return [part(matrix[0]), part(matrix[1]), part(matrix[2])]
}

const grounds = ["ground", "surface"] as const
const texts = ["ink", "soft", "accent", "up", "degraded", "down", "maintenance", "quiet"] as const
/** Bars, and edges of controls: 1.4.11. */
const shapes = ["good", "minor", "worse", "none"] as const
const states = ["up", "degraded", "down", "maintenance", "quiet"] as const
const series = ["series-1", "series-2", "series-3", "series-4", "series-5"] as const

const pairs = <A>(all: ReadonlyArray<A>): ReadonlyArray<readonly [A, A]> =>
  all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const))

describe.each(Object.entries(schemes))("the %s scheme", (_, scheme: Scheme) => {
  it("is read on each ground: text with 4.5, shapes and lines of charts with 3", () => {
    for (const ground of grounds) {
      for (const role of texts) assert.isAtLeast(contrast(scheme[role], scheme[ground]), 4.5, `${role} on ${ground}`)
      for (const role of [...shapes, ...series])
        assert.isAtLeast(contrast(scheme[role], scheme[ground]), 3, `${role} on ${ground}`)
    }
    assert.isAtLeast(contrast(scheme.surface, scheme.accent), 4.5, "the words of the primary button")
  })

  it("shows no state in the colour of what can be pressed", () => {
    for (const state of states)
      assert.isAtLeast(distance(linear(scheme[state]), linear(scheme.accent)), 0.1, `${state} and the accent`)
  })

  it("has five states that are five colours", () => {
    for (const [one, other] of pairs(states))
      assert.isAtLeast(distance(linear(scheme[one]), linear(scheme[other])), 0.07, `${one} and ${other}`)
  })

  it.each(Object.entries(readers))("has five series that a %s tells apart", (_, matrix) => {
    for (const [one, other] of pairs(series)) {
      const [first, second] = [seenBy(matrix, linear(scheme[one])), seenBy(matrix, linear(scheme[other]))]
      assert.isAtLeast(distance(first, second), 0.1, `${one} and ${other}`)
    }
  })
})
