#version 150
uniform sampler2D colour_texture, occlusion_texture, depth_texture, glow_near, glow_far;
uniform vec2 texel;
uniform vec4 projection;
uniform vec3 shadow_tint, gain, lift;
uniform float exposure, bloom, saturation, vignette;
in vec2 uv;
out vec4 result;
float linear(float d) { return projection.x * projection.y / (projection.y - d * (projection.y - projection.x)); }

void main() {
    vec4 lit = texture(colour_texture, uv);
    float z = linear(texture(depth_texture, uv).r), weight = 0.;
    vec2 sum = vec2(0);
#ifdef DENSE       // occlusion is known for every other pixel
    for (int x = -3; x <= 3; x += 2) for (int y = -3; y <= 3; y += 2) {
#else
    for (int x = -2; x <= 2; x++) for (int y = -2; y <= 2; y++) {
#endif
        vec2 t = uv + vec2(x, y) * texel;
        float k = 1. / (1. + 320. * abs(linear(texture(depth_texture, t).r) - z) / z);
        sum += texture(occlusion_texture, t).rg * k;
        weight += k;
    }
    sum /= weight;
    float open = sum.x * mix(1., sum.y, .75), convex = texture(occlusion_texture, uv).b;
    vec3 c = lit.rgb * mix(shadow_tint, vec3(1), open);
    c *= 1. + lit.a * .85 * convex * open;
    c += lit.a * convex * open * vec3(.012, .011, .010);
    c = (c + bloom * (texture(glow_near, uv).rgb * .6 + texture(glow_far, uv).rgb * .5)) * exposure;
    c = c * (2.51 * c + .03) / (c * (2.43 * c + .59) + .14);
    c = pow(clamp(c, 0., 1.), vec3(1. / 2.2));
    c = mix(vec3(dot(c, vec3(.3, .59, .11))), c, saturation);
    c = c * gain + lift * (1. - c);
    vec2 q = uv - .5;
    result = vec4(c * (1. - vignette * dot(q, q)), 1);
}
