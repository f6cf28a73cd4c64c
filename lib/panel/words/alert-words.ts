/** The texts of notifications of the browser, in English. */
export const ALERT_WORDS = {
  alertFrom: (sender: string, place: string) => `${sender} (${place})`,
  alertWithoutText: 'New direct message',
};
