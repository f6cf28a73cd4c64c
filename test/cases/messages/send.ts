import { cases } from '../../faces/case.ts';
import { addressingCases } from './send-addresses.ts';
import { messageEventCases } from './send-events.ts';
import { postingCases } from './send-permissions.ts';
import { textCases } from './send-texts.ts';

export const sendMessageCases = cases('messages.send', [
  ...addressingCases,
  ...textCases,
  ...postingCases,
  ...messageEventCases,
]);
