/** German. The keys are the English texts, and all the texts there are; a file for each feature, each text in one of them. */
import account from "./de/account.ts"
import alerts from "./de/alerts.ts"
import audit from "./de/audit.ts"
import channels from "./de/channels.ts"
import common from "./de/common.ts"
import contact from "./de/contact.ts"
import editor from "./de/editor.ts"
import installation from "./de/installation.ts"
import drills from "./de/drills.ts"
import integrations from "./de/integrations.ts"
import list from "./de/list.ts"
import escalation from "./de/escalation.ts"
import imports from "./de/imports.ts"
import incidents from "./de/incidents.ts"
import monitor from "./de/monitor.ts"
import onboarding from "./de/onboarding.ts"
import onCall from "./de/onCall.ts"
import policies from "./de/policies.ts"
import quietHours from "./de/quietHours.ts"
import organization from "./de/organization.ts"
import signOn from "./de/signOn.ts"
import settings from "./de/settings.ts"
import statusPages from "./de/statusPages.ts"
import wall from "./de/wall.ts"

export default {
  ...account,
  ...alerts,
  ...audit,
  ...channels,
  ...common,
  ...contact,
  ...editor,
  ...installation,
  ...drills,
  ...integrations,
  ...list,
  ...escalation,
  ...imports,
  ...incidents,
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
} as const satisfies Record<string, string>
