import type { OutboxDraft, TransactionContext } from '../access/context.ts';
import { wholeView } from '../events/client.ts';
import { isAdministrator } from '../rules/roles.ts';
