import { isDefaultPassword } from './placeholders.js';
import type { SecretRule } from './secret-rule.js';

/** Returns whether the secret decodes to a name, a colon and a password. */
function isBasicCredential(secret: string): boolean {
  const decoded = Buffer.from(secret, 'base64').toString('latin1');
  const [, password] = /^[\x21-\x39\x3b-\x7e]{1,100}:([\x21-\x7e]{4,})$/.exec(decoded) ?? [];
  return password !== undefined && !isDefaultPassword(password);
}

/**
 * Formats with a known literal, as their issuers or the public scanners (GitHub's partner patterns,
 * gitleaks, secretlint) describe them. Where two can begin at the same place, the longer literal is
 * tried first.
 */
export const TOKEN_RULES: readonly SecretRule[] = [
  // Clouds
  {
    kind: 'aws_access_key',
    literals: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    pattern: /A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9_])/y,
  },
  { kind: 'gcp_api_key', literals: ['AIza'], pattern: /AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/y },
  {
    kind: 'google_oauth_secret',
    literals: ['GOCSPX-'],
    pattern: /GOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/y,
  },
  { kind: 'google_oauth_token', literals: ['ya29.'], pattern: /ya29\.[A-Za-z0-9_-]{30,1000}/y },
  {
    kind: 'azure_storage_key',
    literals: ['AccountKey=', 'SharedAccessKey='],
    pattern: /((?:AccountKey|SharedAccessKey)=)([A-Za-z0-9+/]{43,86}={1,2})/y,
    anywhere: true,
  },
  {
    kind: 'azure_client_secret',
    literals: ['Q~'],
    pattern: /[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])/y,
    inside: true,
  },
  {
    kind: 'azure_sas_signature',
    literals: ['?sig=', '&sig=', ';sig='],
    pattern: /([?&;]sig=)([A-Za-z0-9%+/]{43,70}(?:%3[Dd]|=))/y,
    anywhere: true,
  },
  {
    kind: 'digitalocean_token',
    literals: ['doo_v1_', 'dop_v1_', 'dor_v1_'],
    pattern: /do[opr]_v1_[0-9a-f]{64}/y,
  },
  { kind: 'heroku_key', literals: ['HRKU-'], pattern: /HRKU-[A-Za-z0-9_-]{36,70}/y },
  // Code hosts and registries
  {
    kind: 'github_token',
    literals: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    pattern: /gh[pousr]_[A-Za-z0-9]{36,255}/y,
  },
  {
    kind: 'github_token',
    literals: ['ghs_'],
    pattern:
      /ghs_\d{1,12}_eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{16,1000}/y,
  },
  { kind: 'github_token', literals: ['github_pat_'], pattern: /github_pat_[A-Za-z0-9_]{36,255}/y },
  {
    kind: 'gitlab_token',
    literals: [
      'glpat-',
      'gldt-',
      'glptt-',
      'glcbt-',
      'glrt-',
      'glft-',
      'glimt-',
      'glagent-',
      'gloas-',
      'glsoat-',
    ],
    pattern: /gl(?:pat|dt|ptt|cbt|rt|ft|imt|agent|oas|soat)-[A-Za-z0-9_.-]{20,300}/y,
  },
  { kind: 'gitlab_token', literals: ['GR1348941'], pattern: /GR1348941[A-Za-z0-9_-]{20,60}/y },
  { kind: 'npm_token', literals: ['npm_'], pattern: /npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/y },
  {
    kind: 'npm_token',
    literals: [':_authToken=', ':_password=', ':_auth='],
    pattern: /(:_(?:authToken|password|auth)= ?["']?)([^\s"'$]{8,500})/y,
    anywhere: true,
  },
  { kind: 'pypi_token', literals: ['pypi-AgE'], pattern: /pypi-AgE[A-Za-z0-9_-]{50,1000}/y },
  { kind: 'rubygems_token', literals: ['rubygems_'], pattern: /rubygems_[0-9a-f]{48}/y },
  {
    kind: 'docker_token',
    literals: ['dckr_pat_', 'dckr_oat_'],
    pattern: /dckr_[po]at_[A-Za-z0-9_-]{27,40}/y,
  },
  {
    kind: 'atlassian_token',
    literals: ['ATATT3x', 'ATCTT3x'],
    pattern: /AT[AC]TT3x[A-Za-z0-9_=-]{60,400}/y,
  },
  // Models
  {
    kind: 'anthropic_key',
    literals: ['sk-ant-'],
    pattern: /sk-ant-[a-z0-9]{2,12}-[A-Za-z0-9_-]{20,200}/y,
  },
  {
    kind: 'openai_key',
    literals: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'],
    pattern: /sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,300}/y,
  },
  {
    kind: 'openai_key',
    literals: ['sk-'],
    pattern: /sk-(?:or-v1-)?[A-Za-z0-9]{32,100}(?![A-Za-z0-9-])/y,
  },
  {
    kind: 'huggingface_token',
    literals: ['hf_', 'api_org_'],
    pattern: /(?:hf_|api_org_)[A-Za-z0-9]{34,40}(?![A-Za-z0-9_])/y,
  },
  {
    kind: 'model_key',
    literals: ['gsk_', 'xai-', 'pplx-'],
    pattern: /(?:gsk_|xai-|pplx-)[A-Za-z0-9]{48,90}(?![A-Za-z0-9_])/y,
  },
  { kind: 'model_key', literals: ['r8_'], pattern: /r8_[A-Za-z0-9]{37,40}(?![A-Za-z0-9_])/y },
  // Messages
  {
    kind: 'slack_token',
    literals: ['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxc-', 'xoxd-'],
    pattern: /xox[abcdeoprs]-[A-Za-z0-9%-]{16,400}/y,
  },
  {
    kind: 'slack_token',
    literals: ['xapp-', 'xoxe.xox'],
    pattern: /(?:xapp-|xoxe\.xox[bp]-)\d-[A-Za-z0-9-]{20,400}/y,
  },
  {
    kind: 'slack_webhook',
    literals: ['hooks.slack.com/'],
    pattern: /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)([A-Za-z0-9_+/-]{30,100})/y,
    anywhere: true,
  },
  {
    kind: 'discord_webhook',
    literals: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    pattern: /(discord(?:app)?\.com\/api\/webhooks\/\d{15,22}\/)([A-Za-z0-9_-]{60,80})/y,
    anywhere: true,
  },
  {
    kind: 'telegram_token',
    literals: [':AA'],
    pattern: /(?:bot)?\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])/y,
    inside: true,
  },
  { kind: 'twilio_key', literals: ['SK'], pattern: /SK[0-9a-f]{32}(?![A-Za-z0-9])/y },
  {
    kind: 'sendgrid_key',
    literals: ['SG.'],
    pattern: /SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}/y,
  },
  { kind: 'mailgun_key', literals: ['key-'], pattern: /key-[0-9a-f]{32}(?![A-Za-z0-9])/y },
  {
    kind: 'mailchimp_key',
    literals: ['-us'],
    pattern: /[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])/y,
    inside: true,
  },
  // Payment and shops
  {
    kind: 'stripe_key',
    literals: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'sk_prod_', 'rk_prod_'],
    pattern: /[rs]k_(?:live|test|prod)_[A-Za-z0-9]{16,250}/y,
  },
  { kind: 'stripe_webhook_secret', literals: ['whsec_'], pattern: /whsec_[A-Za-z0-9+/=]{24,100}/y },
  {
    kind: 'shopify_token',
    literals: ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    pattern: /shp(?:at|ca|pa|ss)_[A-Za-z0-9]{32,64}/y,
  },
  {
    kind: 'square_token',
    literals: ['sq0atp-', 'sq0csp-'],
    pattern: /sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}/y,
  },
  // Operations
  {
    kind: 'vault_token',
    literals: ['hvs.', 'hvb.', 'hvr.'],
    pattern: /hv[sbr]\.[A-Za-z0-9_-]{24,300}/y,
  },
  {
    kind: 'terraform_token',
    literals: ['.atlasv1.'],
    pattern: /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}/y,
    inside: true,
  },
  {
    kind: 'onepassword_token',
    literals: ['ops_eyJ'],
    pattern: /ops_eyJ[A-Za-z0-9+/_=-]{100,4000}/y,
  },
  {
    kind: 'tailscale_key',
    literals: ['tskey-'],
    pattern: /tskey-[a-z]{2,12}-[A-Za-z0-9]{8,24}-[A-Za-z0-9]{20,40}/y,
  },
  {
    kind: 'vercel_token',
    literals: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
    pattern: /vc[piark]_[A-Za-z0-9]{24,80}(?![A-Za-z0-9_])/y,
  },
  { kind: 'grafana_token', literals: ['glsa_'], pattern: /glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}/y },
  { kind: 'grafana_token', literals: ['glc_eyJ'], pattern: /glc_eyJ[A-Za-z0-9+/=]{32,400}/y },
  { kind: 'newrelic_key', literals: ['NRAK-'], pattern: /NRAK-[A-Z0-9]{27}(?![A-Za-z0-9])/y },
  {
    kind: 'databricks_token',
    literals: ['dapi'],
    pattern: /dapi[0-9a-fA-F]{32}(?:-\d)?(?![A-Za-z0-9])/y,
  },
  {
    kind: 'doppler_token',
    literals: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'],
    pattern: /dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9._-]{40,80}/y,
  },
  {
    kind: 'sentry_token',
    literals: ['sntrys_', 'sntryu_'],
    pattern: /sntry[su]_[A-Za-z0-9+/=_]{40,400}/y,
  },
  {
    kind: 'supabase_key',
    literals: ['sbp_', 'sb_secret_'],
    pattern: /(?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{30,60})/y,
  },
  { kind: 'postman_key', literals: ['PMAK-'], pattern: /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/y },
  { kind: 'linear_key', literals: ['lin_api_'], pattern: /lin_api_[A-Za-z0-9]{40}/y },
  { kind: 'notion_token', literals: ['ntn_'], pattern: /ntn_[A-Za-z0-9]{40,50}(?![A-Za-z0-9_])/y },
  {
    kind: 'notion_token',
    literals: ['secret_'],
    pattern: /secret_[A-Za-z0-9]{43}(?![A-Za-z0-9_])/y,
  },
  { kind: 'figma_token', literals: ['figd_'], pattern: /figd_[A-Za-z0-9_-]{38,50}/y },
  {
    kind: 'planetscale_token',
    literals: ['pscale_'],
    pattern: /pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}/y,
  },
  { kind: 'footnote_key', literals: ['fnt_'], pattern: /fnt_[A-Za-z0-9]{40,44}(?![A-Za-z0-9_])/y },
  { kind: 'age_key', literals: ['AGE-SECRET-KEY-1'], pattern: /AGE-SECRET-KEY-1[A-Z0-9]{58}/y },
  // Any issuer
  {
    kind: 'jwt',
    literals: ['eyJ'],
    pattern:
      /eyJ[A-Za-z0-9_-]{8,4000}\.(?:eyJ[A-Za-z0-9_-]{8,16000}\.[A-Za-z0-9_-]{16,2000}|[A-Za-z0-9_-]{0,1000}\.[A-Za-z0-9_-]{8,64}\.[A-Za-z0-9_-]{8,16000}\.[A-Za-z0-9_-]{16,64})/y,
  },
  {
    kind: 'url_password',
    literals: ['://'],
    pattern: /(:\/\/[^\s:@/?#"'`<>]{0,100}:)([^\s:/?#"'`<>\\]{4,200})(?=@[A-Za-z0-9[])/y,
    anywhere: true,
    accepts: (secret) => !isDefaultPassword(secret),
  },
  {
    kind: 'basic_credentials',
    literals: ['Basic ', 'basic '],
    pattern: /([Bb]asic )([A-Za-z0-9+/]{12,400}={0,2})/y,
    accepts: isBasicCredential,
  },
];
