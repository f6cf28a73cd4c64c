import { cases } from '../../../world/case.ts';
import { addressingCases } from './send-addresses.cases.ts';
import { messageEventCases } from './send-events.cases.ts';
import { postingCases } from './send-permissions.cases.ts';
import { textCases } from './send-texts.cases.ts';

export const sendMessageCases = cases('messages.send', [
  ...addressingCases,
  ...textCases,
  ...postingCases,
  ...messageEventCases,
]);
