import { type Changes, type PlainCalls, type Stored, UNSEEN } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'messages.report': async ({ storage, messages, channels }) => {
    await storage.write(async (tx) => {
      const { settings = {} } = (await tx.organization.get()) ?? {};
      await tx.organization.update({ settings: { ...settings, moderation_request_channel_id: channels.shared } });
    });
    return { message_id: messages.vaultAfter, report_type: 'spam' };
  },
  'reports.list': () => ({}),
  'reports.resolve': async ({ as, messages }) => {
    await as('cordelia').messages.report({ message_id: messages.ghost, report_type: 'spam' });
    const { reports } = await as('owner').reports.list();
    return { report_id: reports[0]?.id, outcome: 'Deleted the message.' };
  },
};

export const changes: Changes = {
  'messages.report': UNSEEN,
  'reports.resolve': UNSEEN,
};

export const stored: Stored = (tx) => tx.reports.list({ isOpen: true, beforeId: 1e9, exceptSender: 0, limit: 100 });
