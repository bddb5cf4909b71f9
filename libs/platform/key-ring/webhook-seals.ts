/** Returns the place that the URL of a webhook endpoint is sealed for. */
export function webhookUrlContext(webhookId: string): string {
  return `webhook-${webhookId}/url`;
}

/** Returns the place that a secret of a webhook endpoint is sealed for. */
export function webhookSecretContext(webhookId: string, secretId: string): string {
  return `webhook-${webhookId}/secret/${secretId}`;
}
