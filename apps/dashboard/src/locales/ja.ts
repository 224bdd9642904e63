/** Japanese, in files like those of `de.ts`. A text that is missing here is shown in English, and fails a test. */
import type { Text } from "./catalogue.ts"
import account from "./ja/account.ts"
import alerts from "./ja/alerts.ts"
import audit from "./ja/audit.ts"
import channels from "./ja/channels.ts"
import common from "./ja/common.ts"
import contact from "./ja/contact.ts"
import editor from "./ja/editor.ts"
import escalation from "./ja/escalation.ts"
import imports from "./ja/imports.ts"
import incidents from "./ja/incidents.ts"
import installation from "./ja/installation.ts"
import drills from "./ja/drills.ts"
import integrations from "./ja/integrations.ts"
import list from "./ja/list.ts"
import monitor from "./ja/monitor.ts"
import onboarding from "./ja/onboarding.ts"
import onCall from "./ja/onCall.ts"
import policies from "./ja/policies.ts"
import quietHours from "./ja/quietHours.ts"
import organization from "./ja/organization.ts"
import signOn from "./ja/signOn.ts"
import settings from "./ja/settings.ts"
import statusPages from "./ja/statusPages.ts"
import wall from "./ja/wall.ts"

export default {
  ...account,
  ...alerts,
  ...audit,
  ...channels,
  ...common,
  ...contact,
  ...editor,
  ...escalation,
  ...imports,
  ...incidents,
  ...installation,
  ...drills,
  ...integrations,
  ...list,
  ...monitor,
  ...onboarding,
  ...onCall,
  ...organization,
  ...policies,
  ...quietHours,
  ...signOn,
  ...settings,
  ...statusPages,
  ...wall
} as const satisfies Readonly<Partial<Record<Text, string>>>
