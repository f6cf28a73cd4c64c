'use client';

import 'parlance-chat/panel';

/** The panel uses the login cookie of the application. */
export function Chat() {
  return (
    <div style={{ blockSize: '70dvh', border: '1px solid' }}>
      <parlance-panel site="/chat" channel="team" topic="lunch" />
    </div>
  );
}
