/** Formats percentages. They are truncated, never rounded: 99.999 is not 100. */

const cut = (digits: number) =>
  new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits, roundingMode: "trunc" })

const [one, two, three] = [cut(1), cut(2), cut(3)]

/** `100`, `99.999`, `99.98`, `87.5`, `0`: more digits closer to 100. */
export const figure = (percent: number): string =>
  percent >= 100
    ? "100"
    : percent >= 99.99
      ? three.format(percent)
      : percent >= 90
        ? two.format(percent)
        : percent <= 0
          ? "0"
          : percent < 0.1
            ? "0.1"
            : one.format(percent)

/** With a percent sign; a dash if unknown. */
export const percent = (value: number | null): string => (value === null ? "–" : `${figure(value)}%`)
