/** Prints results in one format: name, value, expectation. */

export const row = (name: string, value: string, note = ""): void => {
  process.stdout.write(`  ${name.padEnd(44)}${value.padStart(16)}  ${note}\n`)
}

export const heading = (text: string): void => {
  process.stdout.write(`\n${text}\n`)
}

export const whole = (value: number): string => Math.round(value).toLocaleString("en-US")
export const tenths = (value: number): string => value.toFixed(1)
export const ratio = (value: number): string => `${value.toFixed(2)}×`
