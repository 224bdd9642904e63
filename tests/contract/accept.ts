/** `npm run accept:events`: keeps what is published now as what subscribers were promised. Refuses what would break them. */
import * as PublishedEvents from "../support/PublishedEvents.ts"

const now = PublishedEvents.now()
const broken = PublishedEvents.breakages(await PublishedEvents.before(), now)
for (const { path, what } of broken) process.stderr.write(`${path}: ${what}\n`)
if (broken.length === 0) await PublishedEvents.accept(now)
else {
  process.stderr.write("Subscribers would break; see docs/decisions/0009-what-breaks-a-subscriber.md\n")
  process.exitCode = 1
}
